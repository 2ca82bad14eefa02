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
