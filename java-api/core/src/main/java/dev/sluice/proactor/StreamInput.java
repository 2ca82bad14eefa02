package dev.sluice.proactor;

import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.eventloop.spi.LoopMember;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The input of a connection: a continuous receive until the end of the stream, unless the input is paused. Buffers that
 * are received during a pause are held. Accessed by the thread that calls the hooks, unless specified otherwise.
 */
final class StreamInput {

    private static final Logger LOG = LoggerFactory.getLogger(StreamInput.class);

    /** Maximum number of consecutive receives during an orderly stop, for fairness to other connections. */
    private static final int REST_BUDGET = 16;
    private static final ThreadLocal<ByteBuffer> REST =
            ThreadLocal.withInitial(() -> Bindings.current().memory().allocateBuffer(64 * 1024));

    private final StreamConnection connection;
    private final AsyncStream stream;
    private final Operation operation;
    /** The check of received buffers; null if it is off. */
    private final @Nullable BufferCheck check;
    private long ticket;
    private boolean receiving;
    private boolean cancelled;
    private boolean pausedByProgram;
    /**
     * Whether a queue pauses the input. Written by any thread of the loop, because it may be the queue of another
     * connection.
     */
    private volatile boolean pausedByQueue;
    /**
     * Whether input is discarded, because the output has been shut down and the connection only waits for the peer to
     * close.
     */
    private boolean discarding;
    /** Whether the peer has ended its output. */
    private boolean ended;
    /** Whether the handler has been notified of that. */
    private boolean endDelivered;
    /** Whether the handler must be asked to finish when the bytes that have arrived have been received. */
    private boolean finishing;
    /** Number of bytes received since. */
    private long restBytes;
    /**
     * Whether a hook is being called with a held buffer, or with the rest; if it runs the loop, it must not be called
     * again.
     */
    private boolean delivering;
    /**
     * Buffers that were received while the input was paused, in order; null until there are any. A list, because a
     * deque loses its elements if there is no memory for another one.
     */
    private @Nullable List<RetainedBuffer> held;
    private @Nullable HeldBuffer lent;
    private long receivedBytes;

    /** Creates the input of a connection, for which the operation is reserved after the connection is established. */
    StreamInput(StreamConnection connection, AsyncStream stream, Operation operation) {
        this.connection = connection;
        this.stream = stream;
        this.operation = operation;
        this.check = stream.proactor().check;
    }

    /** Starts receiving, unless it is already receiving, paused, or over. */
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
        if (completion.isEndOfStream()) {
            ended = true;
            proceedUnlessHolding();
        } else if (completion.isCancelled()) {
            if (stream.proactor().isOpen()) {
                // It was paused, and may have been resumed since, or the connection must finish.
                proceedUnlessHolding();
            } else {
                connection.close();
            }
        } else if (discarding) {
            // All data has been sent, and the peer has reset the connection.
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
        proceedAfterPause();
    }

    /** Called when an output queue has exceeded its high watermark, by any thread of the loop. */
    void pauseByQueue() {
        pausedByQueue = true;
    }

    /** Ends {@link #pauseByQueue()}. Called by any thread of the loop. */
    void resumeByQueue() {
        pausedByQueue = false;
        if (connection.isClosing()) {
            return;
        }
        try {
            if (connection.isInside()) {
                proceedAfterPause();
            } else {
                connection.loop().execute(connection);
            }
        } catch (RejectedExecutionException e) {
            // The caller is the queue of another connection, which must not fail because of this.
            LOG.debug("{} ends with its loop", stream, e);
        }
    }

    private boolean isPaused() {
        return pausedByProgram || pausedByQueue;
    }

    /** {@return whether received buffers must be held: the input is paused, or other buffers are held} */
    private boolean isHolding() {
        return !discarding && (isPaused() || delivering || held != null && !held.isEmpty());
    }

    /**
     * Holds a received buffer. The receive is cancelled only now, because most pauses end before bytes arrive. Buffers
     * that arrive until it is cancelled are held, too, at most the share of the connection.
     */
    private void hold(ProvidedBuffer buffer) {
        if (held == null) {
            held = new ArrayList<>();
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

    /** Proceeds after a pause; delivers buffers in a task, because the caller may be a hook of this connection. */
    private void proceedAfterPause() {
        if (isPaused() || connection.isClosing()) {
            return;
        }
        if (held != null && !held.isEmpty() || ended || finishing) {
            connection.loop().execute(connection);
        } else {
            start();
        }
    }

    /** Delivers held buffers, unless the input is paused again. */
    void deliverHeld() throws Exception {
        if (delivering) {
            // The hook runs the loop; further buffers are delivered when it has returned.
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
                deliver(buffer.of(held.remove(0)));
            } finally {
                delivering = false;
                buffer.release();
            }
        }
        if (!connection.isClosing()) {
            proceedUnlessHolding();
        }
    }

    void discardHeld() {
        if (held != null) {
            while (!held.isEmpty()) {
                held.remove(0).close();
            }
        }
    }

    // The orderly stop

    /** Asks the handler to finish after the bytes that have arrived have been received. */
    void finish() throws Exception {
        finishing = true;
        proceedUnlessHolding();
    }

    /**
     * Receives the bytes that have arrived, directly from the socket, because an operation would wait for more, and
     * then asks the handler to finish.
     */
    private void finishWhenReceived() throws Exception {
        if (!takesNoMore() && receiving) {
            // Its last completion calls this again.
            if (!cancelled) {
                cancelled = true;
                operation.cancel(ticket);
            }
            return;
        }
        boolean more = true;
        for (int calls = 0; more && !takesNoMore(); calls++) {
            if (pausedByQueue) {
                // The resumption calls this again. Read once, because another thread of the loop may resume at any
                // moment.
                return;
            }
            if (calls == REST_BUDGET) {
                connection.loop().execute(connection);
                return;
            }
            more = receivesRest();
        }
        if (connection.isClosing() || !finishing) {
            // It has ended, or a hook has run the loop, which has called this.
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

    /** Receives and delivers bytes. Returns false if none were available, or the limit for the rest is reached. */
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

    /** Discards all input from now on, and held buffers. */
    void discard() {
        discarding = true;
        discardHeld();
    }
}
