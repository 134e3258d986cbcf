/** The page where recordings are brought onto the card. */
export const UPLOAD_ADDRESS = "/uploads/adhan";
