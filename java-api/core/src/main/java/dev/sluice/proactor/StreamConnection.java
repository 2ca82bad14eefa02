package dev.sluice.proactor;

import dev.sluice.calls.Bindings;
import dev.sluice.connection.Connections;
import dev.sluice.deadline.Timeout;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.eventloop.spi.LoopMember;
import dev.sluice.failure.MemoryShortage;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.PeerAddress;
import dev.sluice.handle.SocketConnector;
import dev.sluice.handle.SocketStream;
import dev.sluice.handle.spi.CloseListener;
import dev.sluice.handle.spi.Descriptors;
import dev.sluice.hook.HookFailure;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one connection: receives by itself, and turns completions into the typed hooks of a {@link
 * StreamHandler}. Used by the thread that calls the hooks, except where it says otherwise. It ends when its handle has
 * been closed, by whichever thread, and its last operation has completed.
 */
final class StreamConnection extends LoopMember implements CompletionHandler, CloseListener, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(StreamConnection.class);
    /** How long the peer may take to end its output after ours has been shut down. */
    private static final Duration LINGER = Duration.ofSeconds(2);
    /** Buffers received in a row, at an orderly stop, before other connections get their turn. */
    private static final int REST_BUDGET = 16;
    private static final ThreadLocal<ByteBuffer> REST =
            ThreadLocal.withInitial(() -> Bindings.current().memory().allocateBuffer(64 * 1024));

    private final AsyncStream stream;
    private final Proactor proactor;
    /** Null where one thread runs the proactor. */
    private final @Nullable HookOrder order;
    private final StreamOutput output;
    private StreamHandler handler;
    private volatile boolean connected;
    private volatile long openedNanos;
    /** Whether the handle is being closed, or there is none. */
    private volatile boolean closing;
    private @Nullable Throwable failure;
    private boolean ended;
    /** That of the acceptor; null if the connection was not accepted. */
    private @Nullable Connections registry;
    /** Made ahead: at the end there may be no memory. */
    private final Runnable closer = this::close;
    private @Nullable Timer linger;
    /** Whether the handler is to be asked to finish as soon as what has come has been received. */
    private boolean finishing;
    /** Null until one is set; then one for each direction, if that is set. */
    private IdleTimeout @Nullable [] idleTimeouts;

    // Connecting

    private boolean connecting;
    private Duration connectTimeout = Duration.ZERO;
    private @Nullable Timer connectTimer;
    private boolean timedOut;

    // The input

    private final Operation receive;
    /** Null unless received buffers are checked. */
    private final @Nullable BufferCheck check;
    private long receiveTicket;
    private boolean receiving;
    private boolean cancelled;
    private boolean pausedByProgram;
    /** Written by any thread of the loop, as it may be the queue of another connection that pauses the input. */
    private volatile boolean pausedByQueue;
    /** Whether what comes is dropped, since the output has been shut down and only the peer's end is awaited. */
    private boolean discarding;
    /** The peer has ended its output. */
    private boolean inputEnded;
    /** The handler has been called for that. */
    private boolean endDelivered;
    /** Whether a hook is called with what was held: one that runs the loop must not be called again meanwhile. */
    private boolean delivering;
    /** What has come while the input was paused; null until something does. */
    private @Nullable ArrayDeque<RetainedBuffer> held;
    private @Nullable HeldBuffer lent;
    private long receivedBytes;

    /**
     * Makes a connection that is neither established nor a member of its loop.
     *
     * @param hooks runs tasks one after the other with the hooks
     */
    StreamConnection(AsyncStream stream, StreamHandler handler, Executor hooks) {
        super(hooks);
        this.stream = stream;
        this.proactor = stream.proactor();
        this.order = loop() instanceof HookOrder several ? several : null;
        this.handler = handler;
        this.receive = proactor.demultiplexer.newOperation();
        this.check = proactor.check;
        this.output = new StreamOutput(this, stream);
    }

    // Threads

    /** {@return whether the caller is the loop thread; where there are many, whether it calls a hook of this one} */
    boolean isInside() {
        return order == null ? proactor.inEventLoop() : order.isInside();
    }

    void requireInside(String method) {
        if (!isInside()) {
            throw new IllegalStateException(method + ": only the loop thread of " + proactor
                    + " may call this; use loop().execute(...); " + stream);
        }
    }

    private void enter() {
        if (order != null) {
            order.enter();
        }
    }

    private void leave() {
        if (order != null) {
            order.leave();
        }
    }

    // The beginning

    /**
     * Begins to serve an accepted connection.
     *
     * @param accepted where a place is reserved for it
     */
    void open(Connections accepted) {
        enter();
        try {
            registry = accepted;
            registry.add(this, stream);
            join();
            established();
        } catch (Throwable e) {
            fail(OperationType.ACCEPT, e);
        } finally {
            endIfOver();
            leave();
        }
    }

    /**
     * Begins to connect.
     *
     * @param peer    null if the attempt has failed
     * @param cause   why it has; otherwise null
     */
    void connect(@Nullable PeerAddress peer, Duration timeout, @Nullable IOException cause) {
        connectTimeout = timeout;
        connecting = true;
        if (cause == null && isInside()) {
            beginConnect(peer, null);
            return;
        }
        try {
            loop().execute(() -> beginConnect(peer, cause));
        } catch (RejectedExecutionException e) {
            close();
            throw new IllegalStateException("connect: " + proactor + " is closed; open another loop", e);
        }
    }

    private void beginConnect(@Nullable PeerAddress peer, @Nullable IOException cause) {
        try {
            join();
            if (cause != null) {
                throw cause;
            }
            connectTimer = proactor.schedule(expired -> loop().execute(this::timeOut), null, connectTimeout);
            receiveTicket = receive.claim(this, null);
            receive.connect(stream.association(), peer);
        } catch (Throwable e) {
            connecting = false;
            fail(OperationType.CONNECT, e);
        }
        endIfOver();
    }

    private void join() throws IOException {
        if (stream.hasSocket()) {
            Descriptors.of(stream.handle()).addCloseListener(this);
        }
        proactor.addMember(this);
    }

    private void timeOut() {
        if (connecting) {
            timedOut = true;
            receive.cancel(receiveTicket);
        }
    }

    private void connectOver(Completion completion) throws Exception {
        connecting = false;
        cancel(connectTimer);
        SocketAddress address = stream.remoteAddress();
        IOException error = completion.error();
        assert address != null;
        if (completion.isSuccess() && stream.handle().isOpen()) {
            SocketConnector.requirePeer(socket(), address);
            established();
        } else if (timedOut && completion.isCancelled()) {
            throw SocketConnector.timedOut(address, connectTimeout);
        } else if (completion.isFailure() && error != null) {
            throw error;
        } else {
            close();
        }
    }

    /** {@return that of a connection that has one} */
    SocketStream socket() {
        SocketStream socket = stream.stream();
        assert socket != null;
        return socket;
    }

    private void established() throws Exception {
        openedNanos = System.nanoTime();
        connected = true;
        output.begin();
        if (failure == null) {
            handler.opened(stream);
        }
        startReceive();
    }

    // Completions

    @Override
    public void handleCompletion(Completion completion) {
        enter();
        try {
            dispatch(completion);
        } finally {
            leave();
        }
    }

    private void dispatch(Completion completion) {
        OperationType type = completion.type();
        try {
            switch (type) {
                case RECEIVE_CONTINUOUSLY -> received(completion);
                case CONNECT -> connectOver(completion);
                default -> sendOver(completion);
            }
        } catch (Throwable e) {
            fail(type, e);
        }
        if (closing) {
            endIfOver();
        }
    }

    @Override
    public void handleFailure(@Nullable Handle handle, Throwable cause) {
        // Only for lack of stack or memory outside of the hooks.
        HookFailure.log(LOG, handler, stream, cause);
        close();
    }

    private void received(Completion completion) throws Exception {
        ProvidedBuffer buffer = completion.buffer();
        if (buffer == null) {
            receiveOver(completion);
            return;
        }
        receivedBytes += completion.result();
        if (isHolding()) {
            hold(buffer);
        } else if (!closing && !output.isToDiscardInput()) {
            receive(buffer);
        }
    }

    private void receive(ProvidedBuffer buffer) throws Exception {
        if (check == null) {
            handler.received(stream, buffer);
            return;
        }
        CheckedBuffer checked = check.lend(buffer, stream);
        try {
            handler.received(stream, checked);
        } finally {
            checked.hookReturned();
        }
    }

    private void sendOver(Completion completion) throws Exception {
        if (!stream.handle().isOpen()) {
            // That it comes back as cancelled is no failure. The close may be on its way to this.
            output.over(failure);
        }
        if (output.completed(completion) && !closing) {
            handler.sent(stream);
        }
    }

    private void receiveOver(Completion completion) throws Exception {
        receiving = false;
        cancelled = false;
        if (closing) {
            return;
        }
        if (completion.isEnd()) {
            inputEnded = true;
            proceedUnlessHolding();
        } else if (completion.isCancelled()) {
            if (proactor.isOpen()) {
                // It was paused, and may have been resumed since, or the connection is to finish.
                proceedUnlessHolding();
            } else {
                close();
            }
        } else if (discarding) {
            // All has been sent, and the peer did not wait for our end.
            close();
        } else {
            throw completion.error();
        }
    }

    private void deliverEnd() throws Exception {
        endDelivered = true;
        boolean isOfInterest = !output.isToDiscardInput();
        output.inputOver();
        if (isOfInterest) {
            handler.ended(stream);
        }
    }

    private void proceedUnlessHolding() throws Exception {
        boolean holds = isHolding();
        if (!holds && inputEnded && !endDelivered) {
            deliverEnd();
        }
        if (finishing && (pausedByProgram || !holds)) {
            finishWhenReceived();
        } else if (!holds) {
            startReceive();
        }
    }

    private void startReceive() {
        if (!receiving && !inputEnded && !closing && connected && (discarding || !isPaused())) {
            receiveTicket = receive.claim(this, null);
            receive.receiveContinuously(stream.association());
            receiving = true;
        }
    }

    // Pausing the input

    void pauseInput() {
        pausedByProgram = true;
    }

    void resumeInput() {
        pausedByProgram = false;
        resume();
    }

    /** An output queue is above its high watermark. By any thread of the loop. */
    void pauseByQueue() {
        pausedByQueue = true;
    }

    /** By any thread of the loop. */
    void resumeByQueue() {
        pausedByQueue = false;
        if (closing) {
            return;
        }
        try {
            if (isInside()) {
                resume();
            } else {
                loop().execute(this);
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
            receive.cancel(receiveTicket);
        }
    }

    /** Not from within the caller's hook, which may be one of this connection. */
    private void resume() {
        if (isPaused() || closing) {
            return;
        }
        if (held != null && !held.isEmpty() || inputEnded || finishing) {
            loop().execute(this);
        } else {
            startReceive();
        }
    }

    /** As a task: delivers what was held, and ends the connection if that was what it waited for. */
    @Override
    public void run() {
        try {
            deliverHeld();
        } catch (Throwable e) {
            fail(OperationType.RECEIVE_CONTINUOUSLY, e);
        }
        endIfOver();
    }

    private void deliverHeld() throws Exception {
        if (delivering) {
            // The hook runs the loop; what is held by then follows when it has returned.
            return;
        }
        while (!closing && !discarding && !isPaused() && held != null && !held.isEmpty()) {
            if (output.isToDiscardInput()) {
                discardHeld();
                break;
            }
            assert lent != null;
            HeldBuffer buffer = lent;
            delivering = true;
            try {
                receive(buffer.of(held.remove()));
            } finally {
                delivering = false;
                buffer.giveBack();
            }
        }
        if (!closing) {
            proceedUnlessHolding();
        }
    }

    private void discardHeld() {
        if (held != null) {
            while (!held.isEmpty()) {
                held.remove().close();
            }
        }
    }

    // The end

    /** The output has been shut down: what the peer still sends is discarded, and its end is awaited for a while. */
    void linger() {
        discarding = true;
        discardHeld();
        if (inputEnded) {
            output.inputOver();
        } else {
            startReceive();
            linger = proactor.schedule(over -> close(), null, LINGER);
        }
    }

    /** Something has failed, or a hook has thrown something: that ends the connection. */
    void fail(OperationType operation, Throwable cause) {
        try {
            if (cause instanceof HandleClosedException && !stream.handle().isOpen()) {
                LOG.debug("{} was closed meanwhile", stream, cause);
            } else if (failure == null) {
                failure = cause;
                output.over(cause);
                handler.failed(stream, operation, cause);
            } else {
                HookFailure.log(LOG, handler, stream, cause);
            }
        } catch (Throwable e) {
            HookFailure.logUndelivered(handler, cause, e);
        }
        MemoryShortage.retryUntilAvailable(closer);
    }

    /** By any thread. */
    void close() {
        if (stream.hasSocket()) {
            stream.handle().close();
            // The listener may not have been added yet.
            closing = true;
        } else {
            handleClosing(null);
        }
    }

    /** By the thread that closes the handle. */
    @Override
    public void handleClosing(@Nullable Handle handle) {
        closing = true;
        if (isInside() && isInFlight()) {
            // Its completion ends the connection.
            return;
        }
        try {
            loop().execute(this);
        } catch (RejectedExecutionException e) {
            // The loop is closed, so no hook can be in progress.
            endIfOver();
        }
    }

    private boolean isInFlight() {
        return receiving || connecting || output.isInFlight();
    }

    private void endIfOver() {
        if (!closing || ended || delivering || isInFlight()) {
            return;
        }
        ended = true;
        cancel(connectTimer);
        cancel(linger);
        cancelIdleTimeouts();
        discardHeld();
        try {
            output.over(failure);
        } catch (Throwable e) {
            HookFailure.log(LOG, handler, stream, e);
        }
        proactor.removeMember(this);
        if (registry != null) {
            registry.remove(this);
        }
        try {
            handler.closed(stream);
        } catch (Throwable e) {
            HookFailure.log(LOG, handler, stream, e);
        }
    }

    private void cancel(@Nullable Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }

    @Override
    protected void finish() {
        inOrder(this::finishInside);
    }

    private void finishInside() {
        if (!closing) {
            try {
                finishing = connected;
                if (connected) {
                    proceedUnlessHolding();
                } else {
                    close();
                }
            } catch (Throwable e) {
                fail(OperationType.CLOSE, e);
            }
            endIfOver();
        }
    }

    /** What has come is received first; from the socket itself, as an operation would wait for more to come. */
    private void finishWhenReceived() throws Exception {
        if (!takesNoMore() && receiving) {
            // Its completion, after what it has received, calls this again.
            if (!cancelled) {
                cancelled = true;
                receive.cancel(receiveTicket);
            }
            return;
        }
        boolean more = true;
        for (int calls = 0; more && !takesNoMore() && !pausedByQueue; calls++) {
            if (calls == REST_BUDGET) {
                loop().execute(this);
                return;
            }
            more = receivesRest();
        }
        if (closing || more && pausedByQueue && !takesNoMore()) {
            // It has ended, or the resumption calls this again.
            return;
        }
        finishing = false;
        handler.finish(stream);
        startReceive();
    }

    private boolean takesNoMore() {
        return closing || inputEnded || discarding || pausedByProgram || output.isToDiscardInput();
    }

    /** {@return false if nothing has come} */
    private boolean receivesRest() throws Exception {
        ByteBuffer rest = REST.get().clear();
        int count = socket().receive(rest);
        if (count > 0) {
            receivedBytes += count;
            handler.received(stream, LocalCompletion.copyOf(rest.flip()));
        } else if (count < 0) {
            inputEnded = true;
            deliverEnd();
        }
        return count > 0;
    }

    @Override
    protected boolean isLingering() {
        return discarding;
    }

    @Override
    protected void endNow() {
        close();
    }

    /** Calls something where hooks are called. The caller is a thread of the loop. */
    private void inOrder(Runnable task) {
        if (order == null) {
            task.run();
        } else {
            order.execute(task);
        }
    }

    // Idle time-outs

    /** Compares what has passed at each quarter of the time, so that messages need no clock and no timer. */
    private final class IdleTimeout implements TimeoutHandler {

        private static final int QUARTERS = 4;

        private final Interest direction;
        private final Timer timer;
        private final Runnable checking = this::check;
        private long passed;
        /** How many quarters have passed since then. */
        private int quiet;

        IdleTimeout(Interest direction, Duration time) {
            this.direction = direction;
            this.passed = count();
            Duration quarter = time.dividedBy(QUARTERS).plusNanos(1);
            this.timer = proactor.schedule(this, null, quarter, quarter);
        }

        private long count() {
            return (direction.contains(Interest.READ) ? receivedBytes : 0)
                    + (direction.contains(Interest.WRITE) ? sentBytes() : 0);
        }

        @Override
        public void handleTimeout(@Nullable Object token) {
            inOrder(checking);
        }

        private void check() {
            long now = count();
            if (now != passed) {
                passed = now;
                quiet = 0;
            } else if (++quiet == QUARTERS && connected && !closing) {
                quiet = 0;
                try {
                    handler.idle(stream, direction);
                } catch (Throwable e) {
                    fail(OperationType.TIMEOUT, e);
                }
                endIfOver();
            }
        }
    }

    void idleTimeout(Interest direction, Duration time) {
        if (direction.isEmpty() || !Interest.READ_WRITE.contains(direction)) {
            throw new IllegalArgumentException("idleTimeout: direction " + direction
                    + "; need READ, WRITE or READ_WRITE");
        }
        long nanos = Timeout.nanos("time", time);
        if (idleTimeouts == null) {
            idleTimeouts = new IdleTimeout[3];
        }
        int index = direction == Interest.READ ? 0 : direction == Interest.WRITE ? 1 : 2;
        if (idleTimeouts[index] != null) {
            idleTimeouts[index].timer.cancel();
            idleTimeouts[index] = null;
        }
        if (nanos > 0 && !closing) {
            idleTimeouts[index] = new IdleTimeout(direction, time);
        }
    }

    private void cancelIdleTimeouts() {
        if (idleTimeouts != null) {
            for (IdleTimeout each : idleTimeouts) {
                cancel(each == null ? null : each.timer);
            }
        }
    }

    // For the stream

    void handOver(StreamHandler next) {
        handler = next;
    }

    StreamOutput output() {
        return output;
    }

    boolean isConnected() {
        return connected && !closing;
    }

    long openedNanos() {
        return openedNanos;
    }

    long receivedBytes() {
        return receivedBytes;
    }

    long sentBytes() {
        return output.sent();
    }

    /** {@return the connection, for messages about its hooks} */
    @Override
    public String toString() {
        return stream.toString();
    }
}
