package dev.sluice.samples.io;

import java.util.Locale;

/** How a file travels to the socket. */
public enum FileIo {
    /** Inside the kernel, without passing through the heap: {@code sendfile(2)}, or what a Proactor has for it. */
    TRANSMIT,
    /** Sent from the memory that it is mapped to; a file too large for one mapping is read. */
    MMAP,
    /** Read into a buffer, a piece at a time; a Proactor's loop does not wait for the disk. */
    READ;

    /** {@return the name on command lines} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
