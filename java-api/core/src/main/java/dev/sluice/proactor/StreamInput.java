package dev.sluice.proactor;

import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.eventloop.spi.LoopMember;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a connection receives: by one operation that goes on until the peer's end, unless the input is paused. What
 * comes in a pause is held. Used where the hooks are called, except where it says otherwise.
 */
final class StreamInput {

    private static final Logger LOG = LoggerFactory.getLogger(StreamInput.class);

    /** Buffers received in a row, at an orderly stop, before other connections get their turn. */
    private static final int REST_BUDGET = 16;
    private static final ThreadLocal<ByteBuffer> REST =
            ThreadLocal.withInitial(() -> Bindings.current().memory().allocateBuffer(64 * 1024));

    private final StreamConnection connection;
    private final AsyncStream stream;
    private final Operation operation;
    /** Null unless received buffers are checked. */
    private final @Nullable BufferCheck check;
    private long ticket;
    private boolean receiving;
    private boolean cancelled;
    private boolean pausedByProgram;
    /** Written by any thread of the loop, as it may be the queue of another connection that pauses the input. */
    private volatile boolean pausedByQueue;
    /** Whether what comes is dropped, since the output has been shut down and only the peer's end is awaited. */
    private boolean discarding;
    /** The peer has ended its output. */
    private boolean ended;
    /** The handler has been called for that. */
    private boolean endDelivered;
    /** Whether the handler is to be asked to finish as soon as what has come has been received. */
    private boolean finishing;
    /** What has been received since. */
    private long restBytes;
    /**
     * Whether a hook is called with what was held, or with the rest: one that runs the loop must not be called again
     * meanwhile.
     */
    private boolean delivering;
    /** What has come while the input was paused; null until something does. */
    private @Nullable ArrayDeque<RetainedBuffer> held;
    private @Nullable HeldBuffer lent;
    private long receivedBytes;

    /** Creates the input of a connection that uses the operation for nothing else once it is established. */
    StreamInput(StreamConnection connection, AsyncStream stream, Operation operation) {
        this.connection = connection;
        this.stream = stream;
        this.operation = operation;
        this.check = stream.proactor().check;
    }

    /** Receives, unless it does so, or is not to. */
    void start() {
        if (!receiving && !ended && connection.isConnected() && (discarding || !isPaused())) {
            ticket = operation.claim(connection, null);
            operation.receiveContinuously(stream.association());
            receiving = true;
        }
    }

    boolean isDelivering() {
        return delivering;
    }

    boolean isReceiving() {
        return receiving;
    }

    boolean hasEnded() {
        return ended;
    }

    long receivedBytes() {
        return receivedBytes;
    }

    void received(Completion completion) throws Exception {
        ProvidedBuffer buffer = completion.buffer();
        if (buffer == null) {
            receiveOver(completion);
            return;
        }
        receivedBytes += completion.result();
        if (isHolding()) {
            hold(buffer);
        } else if (!connection.isClosing() && !connection.output().isToDiscardInput()) {
            deliver(buffer);
        }
    }

    private void deliver(ProvidedBuffer buffer) throws Exception {
        if (check == null) {
            connection.handler().received(stream, buffer);
            return;
        }
        CheckedBuffer checked = check.lend(buffer, stream);
        try {
            connection.handler().received(stream, checked);
        } finally {
            checked.hookReturned();
        }
    }

    private void receiveOver(Completion completion) throws Exception {
        receiving = false;
        cancelled = false;
        if (connection.isClosing()) {
            return;
        }
        if (completion.isEnd()) {
            ended = true;
            proceedUnlessHolding();
        } else if (completion.isCancelled()) {
            if (stream.proactor().isOpen()) {
                // It was paused, and may have been resumed since, or the connection is to finish.
                proceedUnlessHolding();
            } else {
                connection.close();
            }
        } else if (discarding) {
            // All has been sent, and the peer did not wait for our end.
            connection.close();
        } else {
            throw completion.error();
        }
    }

    private void deliverEnd() throws Exception {
        endDelivered = true;
        boolean isOfInterest = !connection.output().isToDiscardInput();
        connection.output().inputOver();
        if (isOfInterest) {
            connection.handler().ended(stream);
        }
    }

    private void proceedUnlessHolding() throws Exception {
        boolean holds = isHolding();
        if (!holds && ended && !endDelivered) {
            deliverEnd();
        }
        if (finishing && (pausedByProgram || !holds)) {
            finishWhenReceived();
        } else if (!holds) {
            start();
        }
    }

    // Pausing the input

    void pause() {
        pausedByProgram = true;
    }

    void resume() {
        pausedByProgram = false;
        goOn();
    }

    /** An output queue is above its high watermark. By any thread of the loop. */
    void pauseByQueue() {
        pausedByQueue = true;
    }

    /** By any thread of the loop. */
    void resumeByQueue() {
        pausedByQueue = false;
        if (connection.isClosing()) {
            return;
        }
        try {
            if (connection.isInside()) {
                goOn();
            } else {
                connection.loop().execute(connection);
            }
        } catch (RejectedExecutionException e) {
            // The caller is the queue of another connection, which must come to its own end.
            LOG.debug("{} ends with its loop", stream, e);
        }
    }

    private boolean isPaused() {
        return pausedByProgram || pausedByQueue;
    }

    /** {@return whether what comes has to wait, for the program, or behind what waits} */
    private boolean isHolding() {
        return !discarding && (isPaused() || delivering || held != null && !held.isEmpty());
    }

    /**
     * The receive is cancelled only now, since most pauses are over before anything comes. What comes until it has been
     * is held, too: no more than the share of the connection.
     */
    private void hold(ProvidedBuffer buffer) {
        if (held == null) {
            held = new ArrayDeque<>();
            lent = new HeldBuffer();
        }
        RetainedBuffer own = buffer.retain();
        boolean added = false;
        try {
            added = held.add(own);
        } finally {
            if (!added) {
                own.close();
            }
        }
        if (!cancelled && isPaused()) {
            cancelled = true;
            operation.cancel(ticket);
        }
    }

    /** Not from within the caller's hook, which may be one of this connection. */
    private void goOn() {
        if (isPaused() || connection.isClosing()) {
            return;
        }
        if (held != null && !held.isEmpty() || ended || finishing) {
            connection.loop().execute(connection);
        } else {
            start();
        }
    }

    /** Delivers what was held, unless it is paused again. */
    void deliverHeld() throws Exception {
        if (delivering) {
            // The hook runs the loop; what is held by then follows when it has returned.
            return;
        }
        while (!connection.isClosing() && !discarding && !isPaused() && held != null && !held.isEmpty()) {
            if (connection.output().isToDiscardInput()) {
                discardHeld();
                break;
            }
            assert lent != null;
            HeldBuffer buffer = lent;
            delivering = true;
            try {
                deliver(buffer.of(held.remove()));
            } finally {
                delivering = false;
                buffer.giveBack();
            }
        }
        if (!connection.isClosing()) {
            proceedUnlessHolding();
        }
    }

    void discardHeld() {
        if (held != null) {
            while (!held.isEmpty()) {
                held.remove().close();
            }
        }
    }

    // The orderly stop

    /** Lets the handler finish when what has come has been received. */
    void finish() throws Exception {
        finishing = true;
        proceedUnlessHolding();
    }

    /** What has come is received first; from the socket itself, as an operation would wait for more to come. */
    private void finishWhenReceived() throws Exception {
        if (!takesNoMore() && receiving) {
            // Its completion, after what it has received, calls this again.
            if (!cancelled) {
                cancelled = true;
                operation.cancel(ticket);
            }
            return;
        }
        boolean more = true;
        for (int calls = 0; more && !takesNoMore(); calls++) {
            if (pausedByQueue) {
                // The resumption calls this again. Read once: another thread of the loop may resume at any moment.
                return;
            }
            if (calls == REST_BUDGET) {
                connection.loop().execute(connection);
                return;
            }
            more = receivesRest();
        }
        if (connection.isClosing() || !finishing) {
            // It has ended, or a hook has run the loop, which has called this in the meantime.
            return;
        }
        finishing = false;
        connection.handler().finish(stream);
        start();
    }

    private boolean takesNoMore() {
        return connection.isClosing() || ended || discarding || pausedByProgram
                || connection.output().isToDiscardInput();
    }

    /** {@return false if nothing has come, or so much that the peer goes on sending} */
    private boolean receivesRest() throws Exception {
        ByteBuffer rest = REST.get().clear();
        int count = stream.socket().receive(rest);
        if (count > 0) {
            receivedBytes += count;
            restBytes += count;
            ProvidedBuffer copy = LocalCompletion.copyOf(rest.flip());
            delivering = true;
            try {
                deliver(copy);
            } finally {
                delivering = false;
            }
        } else if (count < 0) {
            ended = true;
            deliverEnd();
        }
        return count > 0 && restBytes < LoopMember.MAX_REST;
    }

    boolean isDiscarding() {
        return discarding;
    }

    /** Drops what comes from now on, and what is held. */
    void discard() {
        discarding = true;
        discardHeld();
    }
}
