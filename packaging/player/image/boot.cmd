# U-Boot runs this script of the first partition. It starts the slot on trial while that has tries, else the default one. A try is used up before it
# is made, so a system that hangs, loses power or starts badly is left after the last one. Only boot-loader, which RAUC calls, writes the variables.
test -n "${manara_default}" || setenv manara_default A
setenv manara_slot ${manara_default}
setenv manara_save
test -n "${manara_saved}" || setenv manara_save 1
if test -n "${manara_trial}"; then
  setenv manara_save 1
  if test -n "${manara_tries}" && test ${manara_tries} -gt 0; then
    setexpr manara_tries ${manara_tries} - 1
    setenv manara_slot ${manara_trial}
  else
    setenv manara_trial
    setenv manara_tries
  fi
fi
if test -n "${manara_save}"; then
  # The firmware gives this address at each start; a stored one would win.
  setenv manara_fdt ${fdt_addr}
  setenv fdt_addr
  setenv manara_saved 1
  saveenv
  setenv fdt_addr ${manara_fdt}
fi

# What cannot even be loaded needs no counter: the next one is tried at once.
for slot in ${manara_slot} A B; do
  setenv part 2
  if test "${slot}" = B; then setenv part 3; fi
  echo "Manara: slot ${slot}"
  setenv bootargs "root=PARTUUID=4d414e41-0${part} rootfstype=ext4 rootwait rw panic=10 rauc.slot=${slot} console=ttyS1,115200 console=tty1 ${manara_arguments}"
  setenv fdt ${fdt_addr}
  if load ${devtype} ${devnum}:${part} ${fdt_addr_r} /boot/dtbs/${fdtfile}; then setenv fdt ${fdt_addr_r}; fi
  if load ${devtype} ${devnum}:${part} ${kernel_addr_r} /vmlinuz; then
    if load ${devtype} ${devnum}:${part} ${ramdisk_addr_r} /initrd.img; then
      booti ${kernel_addr_r} ${ramdisk_addr_r}:${filesize} ${fdt}
    fi
  fi
done
sleep 10
reset
