package dev.sluice.proactor;

import dev.sluice.connection.OutputQueue;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.FileHandle;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The output of a connection of a proactor: one operation at a time, with all data that has been queued until it
 * starts.
 */
final class StreamOutput extends OutputQueue {

    /**
     * Maximum number of bytes of a buffer or file per operation. Bounded, because idle timeouts detect progress only
     * when an operation completes.
     */
    private static final int MAX_AT_ONCE = 1 << 20;

    private final StreamConnection connection;
    private final AsyncStream stream;
    private final Runnable serving = this::serve;
    /** The operation that sends; created for the first bytes. */
    private @Nullable Operation operation;
    private boolean inFlight;
    /** The buffer of which only a part is in flight; null if there is none. */
    private @Nullable ByteBuffer partial;
    private int limitOfPartial;

    StreamOutput(StreamConnection connection, AsyncStream stream) {
        super(stream);
        this.connection = connection;
        this.stream = stream;
    }

    // Transport of the queue

    @Override
    protected boolean isOwner() {
        return connection.isInside();
    }

    @Override
    protected void wakeOwner() {
        connection.loop().execute(serving);
    }

    @Override
    protected long transmit(ByteBuffer[] buffers, int count) {
        Operation send = claim();
        int whole = 0;
        while (whole < count && buffers[whole].remaining() <= MAX_AT_ONCE) {
            whole++;
        }
        if (whole == 0) {
            sendPart(send, buffers[0]);
        } else if (whole == 1) {
            send.send(stream.association(), buffers[0], true);
        } else {
            send.send(stream.association(), buffers, 0, whole, true);
        }
        inFlight = true;
        return IN_FLIGHT;
    }

    @Override
    protected long transmit(FileHandle file, long position, long count) {
        claim().transmitFile(stream.association(), file, position, Math.min(count, MAX_AT_ONCE), null, null);
        inFlight = true;
        return IN_FLIGHT;
    }

    private Operation claim() {
        if (operation == null) {
            operation = stream.proactor().demultiplexer.newOperation();
        }
        operation.claim(connection, null);
        return operation;
    }

    @Override
    protected Object eventLoop() {
        return stream.proactor();
    }

    @Override
    protected void pauseInput() {
        connection.input().pauseByQueue();
    }

    @Override
    protected void resumeInput() {
        connection.input().resumeByQueue();
    }

    @Override
    protected void shutdownOutput() throws IOException {
        // A direct call, because no send is in flight, and it is made once per connection.
        stream.socket().shutdownOutput();
    }

    @Override
    protected void linger() {
        connection.linger();
    }

    @Override
    protected void end(@Nullable Throwable cause) {
        if (cause == null) {
            connection.close();
        } else {
            connection.fail(OperationType.SEND, cause);
        }
    }

    // Called by the connection

    boolean isInFlight() {
        return inFlight;
    }

    void begin() {
        established();
    }

    /** Called when a send has completed. Returns whether all queued data has been sent. */
    boolean completed(Completion completion) {
        inFlight = false;
        restorePartial();
        long bytes = completion.bytesTransferred();
        transmitted(bytes, failure(completion, bytes));
        return !inFlight && completion.isSuccess() && unsentBytes() == 0;
    }

    private void sendPart(Operation send, ByteBuffer large) {
        partial = large;
        limitOfPartial = large.limit();
        large.limit(large.position() + MAX_AT_ONCE);
        boolean started = false;
        try {
            send.send(stream.association(), large, true);
            started = true;
        } finally {
            if (!started) {
                restorePartial();
            }
        }
    }

    private void restorePartial() {
        if (partial != null) {
            partial.limit(limitOfPartial);
            partial = null;
        }
    }

    private @Nullable Throwable failure(Completion completion, long bytes) {
        if (completion.isSuccess() && bytes == 0 && completion.type() == OperationType.TRANSMIT_FILE) {
            return new EOFException("a file ends before the bytes that were to be sent: " + stream);
        }
        return completion.error();
    }

    void inputOver() {
        inputEnded();
    }

    boolean isToDiscardInput() {
        return discardsInput();
    }

    /** As {@link #closeByDefault()}. */
    void closeWhenSentByDefault() {
        closeByDefault();
    }

    /** Called when the program closes the connection, by any thread. */
    void closeNow() {
        closing();
    }

    void over(@Nullable Throwable cause) {
        ended(cause);
    }

    long sent() {
        return sentBytes();
    }
}
