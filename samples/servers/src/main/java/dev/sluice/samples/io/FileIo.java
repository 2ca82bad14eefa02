package dev.sluice.samples.io;

import java.util.Locale;

/** The way in which a file is sent. */
public enum FileIo {
    /** Inside the kernel: {@code sendfile(2)}, or the corresponding operation of a Proactor. */
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
