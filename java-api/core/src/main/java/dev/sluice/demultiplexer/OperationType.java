package dev.sluice.demultiplexer;

/** What an asynchronous operation does. */
public enum OperationType {
    /** Accepts a connection. */
    ACCEPT("accept"),
    /** Accepts connections until it is cancelled or fails; a completion for each. */
    ACCEPT_CONTINUOUSLY("accept"),
    /** Connects a stream socket. */
    CONNECT("connect"),
    /** Receives bytes of a stream. */
    RECEIVE("recv"),
    /**
     * Receives bytes of a stream until it ends; a completion and one of the demultiplexer's buffers for each arrival.
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
    /** Closes a direction of a stream. */
    SHUTDOWN("shutdown"),
    /** Waits for readiness. */
    POLL("poll"),
    /** Opens a file. */
    OPEN("open"),
    /** Reads from a file at a position. */
    READ("pread"),
    /** Writes to a file at a position. */
    WRITE("pwrite"),
    /** Brings a file's content to the disk. */
    FORCE("fsync"),
    /** Brings a file's content to the disk, and of its status what is needed to read that. */
    FORCE_DATA("fdatasync"),
    /** Closes a handle. */
    CLOSE("close"),
    /** Lets time pass. */
    TIMEOUT("timeout"),
    /** Completes at once, to hand a result to a waiting thread. */
    POST("post");

    private final String call;

    OperationType(String call) {
        this.call = call;
    }

    /** {@return the system call that it stands for, as it is named in messages} */
    public String call() {
        return call;
    }
}
