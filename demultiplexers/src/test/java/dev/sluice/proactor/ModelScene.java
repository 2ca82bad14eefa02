package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SystemCallException;
import dev.sluice.reactor.Connection;
import dev.sluice.reactor.RecordingPeer;
import dev.sluice.timer.TimeoutHandler;
import dev.sluice.timer.Timer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A proactor on which a script is played, and the model that says of each completion whether it may be. */
final class ModelScene implements CompletionHandler, TimeoutHandler, AutoCloseable {

    /** Ends a hook on purpose. */
    private static final class Provoked extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private record KeptBuffer(RetainedBuffer buffer, byte[] bytes) {
    }

    private final Proactor proactor;
    private final ModelLine[] lines = new ModelLine[Step.LINES];
    private final List<StartedOperation> started = new ArrayList<>();
    private final Deque<Step> forHooks = new ArrayDeque<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Timer> timers = new ArrayList<>();
    private final List<KeptBuffer> kept = new ArrayList<>();
    private final AtomicInteger tasks = new AtomicInteger();
    private int executed;
    private int timersDue;
    private int expired;
    private boolean keepNext;
    private boolean closing;

    ModelScene(String demultiplexer) throws IOException {
        proactor = Proactor.open(demultiplexer);
    }

    void play(List<Step> script) throws Exception {
        proactor.runOnce(Duration.ZERO);
        for (Step step : script) {
            switch (step.place()) {
                case OUTSIDE -> perform(step);
                case HOOK -> forHooks.add(step);
                case OTHER_THREAD -> performElsewhere(step);
            }
            check();
        }
        forHooks.clear();
        runUntilQuiet();
        for (ModelLine line : lines()) {
            line.checkBytes();
        }
        require(tasks.get() == executed, "tasks: " + tasks + " of " + executed);
        check();
    }

    private List<ModelLine> lines() {
        return Arrays.stream(lines).filter(line -> line != null).toList();
    }

    /** The loop thread goes on meanwhile, if the step leaves it alone. */
    private void performElsewhere(Step step) throws Exception {
        if (step.action() == Step.Action.RUN || step.action() == Step.Action.WAIT) {
            return;
        }
        Thread other = new Thread(() -> {
            try {
                synchronized (this) {
                    perform(step);
                }
            } catch (Throwable e) {
                failures.add(e);
            }
        });
        other.start();
        while (other.isAlive()) {
            proactor.runOnce(Duration.ZERO);
            other.join(1);
        }
    }

    private void runUntilQuiet() throws IOException {
        long end = System.nanoTime() + EventLoopContract.LIMIT.toNanos();
        boolean quiet = false;
        int idle = 0;
        while (!quiet || idle < 2) {
            require(System.nanoTime() - end < 0, () -> "stuck: " + pending());
            int dispatched = proactor.runOnce(Duration.ofMillis(quiet ? 0 : 1));
            quiet = tasks.get() == executed && expired >= timersDue && isOver(OperationType.POST)
                    && isOver(OperationType.TIMEOUT);
            for (ModelLine line : lines()) {
                line.far.receive(1 << 20);
                quiet &= line.isQuiet();
            }
            idle = dispatched == 0 && quiet ? idle + 1 : 0;
            check();
        }
    }

    private synchronized boolean isOver(OperationType type) {
        return started.stream().allMatch(operation -> operation.over || operation.type != type);
    }

    private synchronized String pending() {
        return started.stream().filter(operation -> !operation.over).toList() + ", timers " + expired + " of "
                + timersDue + ", tasks " + tasks + " of " + executed;
    }

    private void check() {
        Throwable failure = failures.peek();
        if (failure != null) {
            throw new AssertionError(failure.getMessage(), failure);
        }
        for (KeptBuffer buffer : kept) {
            require(Arrays.equals(buffer.bytes(), bytes(buffer.buffer().bytes())), () -> "a kept buffer has changed");
        }
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }

    private void require(boolean rule, String message) {
        require(rule, () -> message);
    }

    private static void require(boolean rule, Supplier<String> message) {
        if (!rule) {
            throw new AssertionError(message.get());
        }
    }

    // Steps

    private void perform(Step step) throws Exception {
        switch (step.action()) {
            case OPEN -> open(step);
            case RUN -> proactor.runOnce(Duration.ZERO);
            case WAIT -> proactor.runOnce(Duration.ofMillis(1));
            case SCHEDULE -> {
                timersDue++;
                timers.add(proactor.schedule(this, "timer", Duration.ofNanos(10L * step.number())));
            }
            case CANCEL_TIMER -> {
                if (!timers.isEmpty()) {
                    Timer timer = timers.remove(step.number() % timers.size());
                    timersDue -= timer.cancel() ? 1 : 0;
                }
            }
            case EXECUTE -> {
                executed++;
                proactor.execute(tasks::incrementAndGet);
            }
            case POST -> proactor.post(this, start(OperationType.POST, null, true), step.number());
            case TIMEOUT -> proactor.timeout(this, start(OperationType.TIMEOUT, null, true),
                    Duration.ofNanos(10L * step.number()));
            case THROW -> throwIfInHook(step);
            case KEEP -> keepNext = true;
            case RELEASE -> {
                if (!kept.isEmpty()) {
                    kept.remove(step.number() % kept.size()).buffer().close();
                }
            }
            default -> {
                ModelLine line = lines[step.line()];
                if (line != null) {
                    perform(step, line);
                }
            }
        }
    }

    private static void throwIfInHook(Step step) throws Provoked {
        if (step.place() == Step.Place.HOOK) {
            throw new Provoked();
        }
    }

    private void open(Step step) throws IOException {
        if (lines[step.line()] == null) {
            Connection connection = step.number() % 2 == 0 ? Connection.tcp() : Connection.unix();
            lines[step.line()] = new ModelLine(step.line(), connection,
                    new AsyncStream(proactor, connection.near(), this));
        }
    }

    private void perform(Step step, ModelLine line) throws IOException {
        AsyncStream near = line.near;
        int count = step.number();
        switch (step.action()) {
            case RECEIVE -> {
                StartedOperation receive = start(OperationType.RECEIVE, line, true, room(count, step.line()));
                ticket(receive, near.receive(receive.buffers[0], receive));
            }
            case SCATTER -> {
                StartedOperation receive = start(OperationType.RECEIVE, line, true, room(1, 0), room(count, 1));
                ticket(receive, near.receive(receive.buffers, 0, 2, receive));
            }
            case RECEIVE_CONTINUOUSLY -> {
                StartedOperation receive = start(OperationType.RECEIVE_CONTINUOUSLY, line, true);
                ticket(receive, near.receiveContinuously(receive));
            }
            case SEND -> {
                StartedOperation send = start(OperationType.SEND, line, true, room(count, step.line()));
                ticket(send, near.send(send.buffers[0], send));
            }
            case SEND_SOME -> {
                StartedOperation send = start(OperationType.SEND, line, false, room(count, step.line()));
                ticket(send, near.sendSome(send.buffers[0], send));
            }
            case GATHER -> {
                StartedOperation send = start(OperationType.SEND, line, true, room(1, 0), room(count, 1));
                ticket(send, near.send(send.buffers, 0, 2, send));
            }
            case SHUTDOWN -> {
                line.far.nearShutsDown();
                StartedOperation shutdown = start(OperationType.SHUTDOWN, line, true);
                ticket(shutdown, near.shutdownOutput(shutdown));
            }
            case POLL -> {
                StartedOperation poll = start(OperationType.POLL, line, true);
                ticket(poll, near.poll(Interest.READ_WRITE, poll));
            }
            case CANCEL -> cancel(line, count);
            case CANCEL_ALL -> {
                line.started.forEach(operation -> operation.mayBeCancelled = true);
                near.cancel();
            }
            case CLOSE -> {
                line.far.nearCloses();
                near.close();
            }
            case CLOSE_ASYNCHRONOUSLY -> {
                line.far.nearCloses();
                near.close(start(OperationType.CLOSE, line, true));
            }
            case FAR_SEND -> line.far.send(count);
            case FAR_RECEIVE -> line.far.receive(count);
            case FAR_SHUTDOWN -> line.far.shutdown();
            case FAR_CLOSE -> line.far.close(false);
            case FAR_RESET -> line.far.close(true);
            default -> throw new IllegalArgumentException(step.toString());
        }
    }

    private static void cancel(ModelLine line, int count) {
        if (!line.started.isEmpty()) {
            StartedOperation operation = line.started.get(count % line.started.size());
            if (operation.hasTicket) {
                operation.mayBeCancelled = true;
                line.near.cancel(operation.ticket);
            }
        }
    }

    private synchronized StartedOperation start(OperationType type, ModelLine line, boolean all,
                                                ByteBuffer... buffers) {
        StartedOperation operation = new StartedOperation(started.size(), type, line, all, buffers);
        for (ByteBuffer buffer : buffers) {
            if (type == OperationType.SEND) {
                for (int i = 0; i < buffer.capacity(); i++) {
                    buffer.put(i, RecordingPeer.pattern(operation.number, i));
                }
            }
        }
        if (line != null) {
            operation.mayFail = line.far.isNearShutDown();
            line.started.add(operation);
        }
        started.add(operation);
        return operation;
    }

    private static void ticket(StartedOperation operation, long ticket) {
        operation.ticket = ticket;
        operation.hasTicket = true;
    }

    private static ByteBuffer room(int count, int kind) {
        return kind % 2 == 0 ? ByteBuffer.allocate(count) : ByteBuffer.allocateDirect(count);
    }

    // Hooks

    @Override
    public void handleCompletion(Completion completion) throws Exception {
        StartedOperation operation = (StartedOperation) completion.token();
        try {
            note(operation, completion);
        } catch (Throwable e) {
            failures.add(e);
            return;
        }
        inHook();
    }

    private void inHook() throws Exception {
        Step step = closing ? null : forHooks.poll();
        if (step != null) {
            try {
                performInHook(step);
            } catch (Provoked e) {
                throw e;
            } catch (Throwable e) {
                failures.add(e);
            }
        }
    }

    private void performInHook(Step step) throws Exception {
        if (step.action() == Step.Action.RUN || step.action() == Step.Action.WAIT) {
            perform(step);
            return;
        }
        synchronized (this) {
            perform(step);
        }
    }

    private void note(StartedOperation operation, Completion completion) {
        require(completion.type() == operation.type, () -> operation + " completes as " + completion);
        require(!operation.over, () -> operation + " completes once more: " + completion);
        require(completion.isLast() || operation.type == OperationType.RECEIVE_CONTINUOUSLY,
                () -> operation + " completes not for the last time: " + completion);
        require(proactor.inEventLoop() || closing, () -> operation + " completes in a strange thread");
        if (completion.isSuccess()) {
            succeeded(operation, completion);
        } else if (completion.isFailure()) {
            require(mayFail(operation) || failsBehindGap(operation, completion.error()),
                    () -> operation + " fails: " + completion.error());
        } else {
            require(closing || operation.mayBeCancelled || operation.line != null
                    && operation.line.far.isNearClosed(), () -> operation + " is cancelled without a cause");
        }
        require(completion.isSuccess() || completion.buffer() == null, () -> operation + " fails with bytes");
        if (operation.isSend() && operation.transferred() > 0 && operation.transferred() < operation.room()) {
            operation.line.leaveGap();
        }
        operation.over = completion.isLast();
    }

    private static boolean mayFail(StartedOperation operation) {
        ModelLine line = operation.line;
        return line != null && (line.far.isClosed() || line.far.isNearClosed()
                || operation.mayFail && (operation.isSend() || operation.type == OperationType.SHUTDOWN));
    }

    /** What was started before the program knew of a gap is not sent, and says so. */
    private static boolean failsBehindGap(StartedOperation operation, IOException error) {
        boolean sends = operation.isSend() || operation.type == OperationType.SHUTDOWN;
        return sends && operation.line.startedBeforeGap(operation) && operation.transferred() == 0
                && error instanceof SystemCallException call && call.errorName().equals("EPIPE")
                && call.getCause() != null;
    }

    private void succeeded(StartedOperation operation, Completion completion) {
        long bytes = completion.bytesTransferred();
        switch (operation.type) {
            case RECEIVE -> {
                require(Math.max(bytes, 0) == operation.transferred(), () -> operation + " moved its buffers message"
                        + " than " + completion);
                require(bytes > 0 || operation.line.far.isEnded() || operation.line.far.isNearClosed(),
                        () -> operation + " sees an unexpected end of the stream");
            }
            case RECEIVE_CONTINUOUSLY -> {
                ProvidedBuffer buffer = completion.buffer();
                require(completion.isEndOfStream() == (buffer == null), () -> operation + ": " + completion);
                require(buffer != null || operation.line.far.isEnded() || operation.line.far.isNearClosed(),
                        () -> operation + " sees an unexpected end of the stream");
                if (buffer != null) {
                    take(operation, buffer, bytes);
                }
            }
            case SEND -> {
                require(bytes == operation.transferred(), () -> operation + " moved its buffers message than "
                        + completion);
                require(operation.all ? bytes == operation.room() : bytes > 0, () -> operation + " sends " + bytes);
            }
            default -> { }
        }
    }

    private void take(StartedOperation operation, ProvidedBuffer buffer, long bytes) {
        byte[] received = bytes(buffer.bytes());
        require(received.length == bytes && bytes > 0, () -> operation + " brings " + received.length + ", not "
                + bytes);
        operation.received.writeBytes(received);
        if (keepNext && kept.size() < 4) {
            keepNext = false;
            kept.add(new KeptBuffer(buffer.retain(), received));
        }
    }

    @Override
    public void handleTimeout(Object token) throws Exception {
        expired++;
        inHook();
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        if (!(cause instanceof Provoked)) {
            failures.add(cause);
        }
        if (handle != null) {
            for (ModelLine line : lines()) {
                if (line.near.handle() == handle) {
                    line.far.nearCloses();
                }
            }
            handle.close();
        }
    }

    /** Ends everything, and checks that each operation has ended. */
    @Override
    public void close() {
        closing = true;
        kept.forEach(buffer -> buffer.buffer().close());
        kept.clear();
        proactor.close();
        for (ModelLine line : lines()) {
            line.close();
        }
        check();
        require(started.stream().allMatch(operation -> operation.over), () -> "never over: " + pending());
        for (ModelLine line : lines()) {
            line.checkReceived();
        }
    }
}
