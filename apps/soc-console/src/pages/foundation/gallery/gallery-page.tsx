import type { ReactNode } from "react";
import { GalleryCharts } from "./gallery-charts.tsx";
import { GalleryControls } from "./gallery-controls.tsx";
import { GalleryList } from "./gallery-list.tsx";
import { GalleryStates } from "./gallery-states.tsx";
import "./gallery.css";

/** Every control in every state: the story book of the console. */
export function GalleryPage(): ReactNode {
  return (
    <main className="gallery">
      <h1 className="title">Gallery</h1>
      <GalleryList />
      <div className="gallery-panels">
        <GalleryControls />
        <GalleryStates />
        <GalleryCharts />
      </div>
    </main>
  );
}
