package dev.sluice.proactor;

import dev.sluice.demultiplexer.OperationType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** What the model knows of one operation, which is its token. */
final class StartedOperation {

    final int number;
    final OperationType type;
    /** Null for those without a connection. */
    final ModelLine line;
    final ByteBuffer[] buffers;
    /** Of a send: it is over only when all is sent. */
    final boolean all;
    /** What a continuous receive has brought. */
    final ByteArrayOutputStream received = new ByteArrayOutputStream();

    volatile long ticket;
    volatile boolean hasTicket;
    volatile boolean mayBeCancelled;
    volatile boolean mayFail;
    volatile boolean over;

    StartedOperation(int number, OperationType type, ModelLine line, boolean all, ByteBuffer... buffers) {
        this.number = number;
        this.type = type;
        this.line = line;
        this.all = all;
        this.buffers = buffers;
    }

    boolean isReceive() {
        return type == OperationType.RECEIVE || type == OperationType.RECEIVE_CONTINUOUSLY;
    }

    boolean isSend() {
        return type == OperationType.SEND;
    }

    long room() {
        long room = 0;
        for (ByteBuffer buffer : buffers) {
            room += buffer.capacity();
        }
        return room;
    }

    /** What the positions of the buffers say. */
    long transferred() {
        long transferred = 0;
        for (ByteBuffer buffer : buffers) {
            transferred += buffer.position();
        }
        return transferred;
    }

    /** Puts into a stream what the operation has transferred. */
    void copyTo(ByteArrayOutputStream stream) {
        stream.writeBytes(received.toByteArray());
        for (ByteBuffer buffer : buffers) {
            byte[] bytes = new byte[buffer.position()];
            buffer.get(0, bytes);
            stream.writeBytes(bytes);
        }
    }

    @Override
    public String toString() {
        return "operation " + number + ", " + type + " of " + room() + " bytes on " + line;
    }
}
