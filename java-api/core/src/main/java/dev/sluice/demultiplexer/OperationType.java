package dev.sluice.demultiplexer;

/** The types of asynchronous operations. */
public enum OperationType {
    /** Accepts a connection. */
    ACCEPT("accept"),
    /** Accepts connections until it is cancelled or fails, with a completion for each. */
    ACCEPT_CONTINUOUSLY("accept"),
    /** Connects a stream socket. */
    CONNECT("connect"),
    /** Receives bytes of a stream. */
    RECEIVE("recv"),
    /**
     * Receives bytes of a stream until its end, with a completion and one of the demultiplexer's buffers for each
     * arrival.
     */
    RECEIVE_CONTINUOUSLY("recv"),
    /** Sends bytes of a stream. */
    SEND("send"),
    /** Receives a datagram. */
    RECEIVE_FROM("recvmsg"),
    /** Sends a datagram. */
    SEND_TO("sendmsg"),
    /** Sends a part of a file to a stream: the papers' TransmitFile. */
    TRANSMIT_FILE("sendfile"),
    /** Shuts down one direction of a stream. */
    SHUTDOWN("shutdown"),
    /** Waits for readiness. */
    POLL("poll"),
    /** Opens a file. */
    OPEN("open"),
    /** Reads from a file at a position. */
    READ("pread"),
    /** Writes to a file at a position. */
    WRITE("pwrite"),
    /** Writes a file's content and metadata to the disk. */
    FORCE("fsync"),
    /** Writes a file's content to the disk, and the metadata that is needed to read it. */
    FORCE_DATA("fdatasync"),
    /**
     * Writes to a file at a position, and then writes the file's content to the disk, as {@link #WRITE} and
     * {@link #FORCE_DATA} do. A failure names the call that has failed.
     */
    WRITE_AND_FORCE_DATA("pwrite"),
    /** Reserves space for a range of a file. */
    ALLOCATE("fallocate"),
    /** Frees the space of a range of a file. */
    PUNCH_HOLE("fallocate"),
    /** Begins to read a range of a file into the system's cache. */
    PREFETCH("posix_fadvise"),
    /** Drops a range of a file from the system's cache. */
    EVICT("posix_fadvise"),
    /** Waits until what was written to a range of a file has been given to the disk. */
    WRITE_BACK("sync_file_range"),
    /** Truncates or extends a file. */
    TRUNCATE("ftruncate"),
    /** Copies a range of a file to another one. */
    COPY("copy_file_range"),
    /** Locks a range of a file, and waits until that is possible. */
    LOCK("lock"),
    /** Locks a range of a file, unless a part of it is locked. */
    TRY_LOCK("lock"),
    /** Reads the attributes of a file, or of a name in a directory. */
    STATUS("fstatat"),
    /** Renames what a directory contains. */
    RENAME("renameat"),
    /** Renames what a directory contains, unless the new name exists. */
    RENAME_UNLESS_EXISTS("renameat2"),
    /** Exchanges two names in a directory. */
    EXCHANGE("renameat2"),
    /** Gives a file a further name. */
    LINK("linkat"),
    /** Removes a file from a directory. */
    DELETE("unlinkat"),
    /** Creates a directory in another one. */
    CREATE_DIRECTORY("mkdirat"),
    /** Removes an empty directory from another one. */
    DELETE_DIRECTORY("unlinkat"),
    /** Writes the names in a directory to the disk. */
    FORCE_DIRECTORY("fsync"),
    /** Closes a handle. */
    CLOSE("close"),
    /** Completes after a time. */
    TIMEOUT("timeout"),
    /** Completes immediately, to pass a result to a waiting thread. */
    POST("post");

    private final String call;

    OperationType(String call) {
        this.call = call;
    }

    /** {@return the name of its system call, for messages} */
    public String call() {
        return call;
    }
}
