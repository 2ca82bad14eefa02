package dev.sluice.samples.web;

/** How a file travels to the socket. */
public enum FileIo {
    /** Inside the kernel, without passing through this process: {@code sendfile(2)}. */
    TRANSMIT,
    /** Sent from the memory that it is mapped to; a file too large for one mapping is read. */
    MMAP,
    /** Read into a buffer, a piece at a time. */
    READ
}
