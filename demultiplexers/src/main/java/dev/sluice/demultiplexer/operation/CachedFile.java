package dev.sluice.demultiplexer.operation;

/** How {@link CachedTransfers} reads and writes a file. Used inside. */
public final class CachedFile {

    /** A way to make a call. */
    enum Way {
        /** To be found out. */
        UNKNOWN,
        /** With a flag by which the call fails instead of waiting. */
        WITHOUT_WAITING,
        /** As an ordinary call. */
        ORDINARY,
        /** Not at all. */
        NEVER
    }

    /** A file that the mechanism always reads and writes. */
    static final CachedFile UNCACHED = new CachedFile(Way.NEVER, Way.NEVER);

    Way reads;
    Way writes;
    /** The number of the mount, known once the file has been written; 0 if the system does not report it. */
    long mount;

    CachedFile(Way reads, Way writes) {
        this.reads = reads;
        this.writes = writes;
    }
}
