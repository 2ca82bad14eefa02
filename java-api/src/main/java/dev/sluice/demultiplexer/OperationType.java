package dev.sluice.demultiplexer;

import java.util.function.Consumer;

/** What an {@link Operation} does. */
public enum OperationType {
    /** Accepts a connection. */
    ACCEPT("accept", Operation::requireAcceptor),
    /** Accepts connections until it is cancelled or fails; a completion for each. */
    ACCEPT_CONTINUOUSLY("accept", Operation::requireAcceptor),
    /** Connects a stream socket. */
    CONNECT("connect", Operation::requirePeer),
    /** Receives bytes of a stream. */
    RECEIVE("recv", Operation::requireRoom),
    /** Receives bytes of a stream until it ends; a completion and a buffer of the demultiplexer's for each arrival. */
    RECEIVE_CONTINUOUSLY("recv"),
    /** Sends bytes of a stream. */
    SEND("send", Operation::requireBuffers),
    /** Receives a datagram. */
    RECEIVE_FROM("recvmsg", Operation::requireRoom),
    /** Sends a datagram. */
    SEND_TO("sendmsg", Operation::requireDatagram),
    /** Sends a part of a file to a stream: the papers' TransmitFile. */
    TRANSMIT_FILE("sendfile", Operation::requireFile),
    /** Closes a direction of a stream. */
    SHUTDOWN("shutdown"),
    /** Waits for readiness. */
    POLL("poll", Operation::requireEvents),
    /** Opens a file. */
    OPEN("open", Operation::requirePath),
    /** Reads from a file at a position. */
    READ("pread", Operation::requireRead),
    /** Writes to a file at a position. */
    WRITE("pwrite", Operation::requireWrite),
    /** Brings a file's content to the disk. */
    FORCE("fsync"),
    /** Closes a handle. */
    CLOSE("close"),
    /** Lets time pass. */
    TIMEOUT("timeout", Operation::requireTime),
    /** Completes by itself, to bring a result to a thread that waits. */
    POST("post", Operation::requireResult);

    private final String call;
    private final Consumer<Operation> requirements;

    OperationType(String call) {
        this(call, operation -> { });
    }

    OperationType(String call, Consumer<Operation> requirements) {
        this.call = call;
        this.requirements = requirements;
    }

    /** {@return the system call that it stands for, as messages name it} */
    public String call() {
        return call;
    }

    /**
     * Refuses arguments that an operation of this type cannot be started with.
     *
     * @param operation of this type, claimed
     * @throws RuntimeException what {@link Operation} says
     */
    void check(Operation operation) {
        requirements.accept(operation);
    }
}
