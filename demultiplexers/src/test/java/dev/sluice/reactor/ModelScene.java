package dev.sluice.reactor;

import dev.sluice.demultiplexer.spi.HandleSetKind;
import dev.sluice.demultiplexer.spi.OpenedDemultiplexers;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.timer.Timer;
import dev.sluice.timer.TimerQueue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** A reactor that one thread runs, on which a script is played, with the model's handlers. */
final class ModelScene implements AutoCloseable {

    private final Reactor reactor;
    private final ModelHandler[] lines = new ModelHandler[Step.LINES];
    private final Deque<Step> forHooks = new ArrayDeque<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Timer> timers = new ArrayList<>();
    private final AtomicInteger tasks = new AtomicInteger();
    private int executed;
    private int timersDue;
    private int expired;
    private volatile boolean closing;

    ModelScene(String demultiplexer) throws IOException {
        reactor = Reactors.on(OpenedDemultiplexers.openSynchronous(demultiplexer), TimerQueue.heap(),
                HandleSetKind.ITERATIVE);
    }

    void play(List<Step> script) throws Exception {
        reactor.runOnce(Duration.ZERO);
        for (Step step : script) {
            if (!reactor.isOpen()) {
                break;
            }
            switch (step.place()) {
                case OUTSIDE -> perform(step);
                case HOOK -> forHooks.add(step);
                case OTHER_THREAD -> performElsewhere(step);
            }
            check();
        }
        forHooks.clear();
        // First without a change, which would wake what has been forgotten.
        runUntilQuiet();
        for (ModelHandler line : lines()) {
            if (reactor.isOpen()) {
                line.askForTheRest();
            }
        }
        runUntilQuiet();
        for (ModelHandler line : lines()) {
            line.checkBytes();
        }
        check();
    }

    private List<ModelHandler> lines() {
        return Arrays.stream(lines).filter(line -> line != null).toList();
    }

    private void run(Duration timeout) throws IOException {
        // The hook of a script may have closed it.
        if (reactor.isOpen()) {
            reactor.runOnce(timeout);
        }
    }

    /** The loop thread goes on meanwhile, if the step leaves it alone. */
    private void performElsewhere(Step step) throws Exception {
        if (step.action() == Step.Action.RUN || step.action() == Step.Action.WAIT) {
            return;
        }
        Thread other = new Thread(() -> {
            try {
                if (step.action() == Step.Action.END) {
                    // Waits for the loop thread, which must not wait for it.
                    end();
                } else {
                    performAlone(step);
                }
            } catch (Throwable e) {
                failedStep(e);
            }
        });
        other.start();
        while (other.isAlive()) {
            if (step.action() != Step.Action.END) {
                run(Duration.ZERO);
            }
            other.join(1);
        }
    }

    private void runUntilQuiet() throws IOException {
        long end = System.nanoTime() + EventLoopContract.LIMIT.toNanos();
        boolean quiet = false;
        for (int idle = 0; reactor.isOpen() && idle < 2;) {
            require(System.nanoTime() - end < 0, "stuck: " + lines() + ", timers " + expired + " of " + timersDue
                    + ", tasks " + tasks + " of " + executed);
            int dispatched = reactor.runOnce(Duration.ofMillis(quiet ? 0 : 1));
            quiet = tasks.get() == executed && expired == timersDue;
            for (ModelHandler line : lines()) {
                line.far.receive(Integer.MAX_VALUE);
                quiet &= line.isQuiet();
            }
            idle = dispatched == 0 && quiet ? idle + 1 : 0;
            check();
        }
    }

    private void failedStep(Throwable failure) {
        // A step before it, in a hook, may have closed the reactor.
        boolean late = failure instanceof IllegalStateException || failure instanceof RejectedExecutionException;
        if (!late || reactor.isOpen()) {
            fail(failure);
        }
    }

    void fail(Throwable failure) {
        failures.add(failure);
    }

    private void check() {
        Throwable failure = failures.peek();
        if (failure != null) {
            throw new AssertionError(failure.toString(), failure);
        }
    }

    private static void require(boolean rule, String message) {
        if (!rule) {
            throw new AssertionError(message);
        }
    }

    void requireLoopThread(ModelHandler handler) {
        require(closing || reactor.inEventLoop(), handler + " is called by a strange thread");
    }

    void expired() {
        expired++;
    }

    // Steps

    private synchronized void performAlone(Step step) throws Exception {
        perform(step);
    }

    private void perform(Step step) throws Exception {
        switch (step.action()) {
            case OPEN -> {
                if (lines[step.line()] == null) {
                    Connection connection = step.number() % 2 == 0 ? Connection.tcp() : Connection.unix();
                    lines[step.line()] = new ModelHandler(this, reactor, step.line(), connection);
                }
            }
            case RUN -> run(Duration.ZERO);
            case WAIT -> run(Duration.ofMillis(1));
            case CANCEL_TIMER -> {
                if (!timers.isEmpty()) {
                    Timer timer = timers.remove(step.number() % timers.size());
                    timersDue -= timer.cancel() ? 1 : 0;
                }
            }
            case EXECUTE -> {
                executed++;
                reactor.execute(tasks::incrementAndGet);
            }
            case THROW_EXCEPTION -> {
                if (step.place() == Step.Place.HOOK) {
                    throw new Provoked.ByException();
                }
            }
            case THROW_ERROR -> {
                if (step.place() == Step.Place.HOOK) {
                    throw new Provoked.ByError();
                }
            }
            case END -> end();
            default -> {
                ModelHandler line = lines[step.line()];
                if (line != null) {
                    perform(step, line);
                }
            }
        }
    }

    private void perform(Step step, ModelHandler line) throws IOException {
        switch (step.action()) {
            case SCHEDULE -> {
                timersDue++;
                timers.add(reactor.schedule(line, "timer", Duration.ofNanos(10L * step.number())));
            }
            case CLOSE -> {
                // A close during a change may take effect before or after it.
                if (!reactor.inEventLoop() || !line.isChanging()) {
                    // Closed by another thread before, the end may be on its way still.
                    boolean atOnce = reactor.inEventLoop() && !line.far.isNearClosed();
                    line.far.nearCloses();
                    line.handle().close();
                    require(!atOnce || !line.isInModel(), line + " outlives the close of its handle");
                }
            }
            case FAR_SEND -> line.far.send(step.number());
            case FAR_RECEIVE -> line.far.receive(step.number());
            case FAR_SHUTDOWN -> line.far.shutdown();
            case FAR_CLOSE -> line.far.close(false);
            case FAR_RESET -> line.far.close(true);
            default -> line.change(step);
        }
    }

    private void end() {
        closing = true;
        reactor.close();
    }

    // Hooks

    void inHook() throws Exception {
        Step step = closing ? null : forHooks.poll();
        if (step != null) {
            try {
                // What runs the loop must not keep another thread from its step: the loop may have to wait for that.
                if (step.action() == Step.Action.RUN || step.action() == Step.Action.WAIT) {
                    perform(step);
                } else {
                    performAlone(step);
                }
            } catch (Provoked.ByException | Provoked.ByError e) {
                throw e;
            } catch (Throwable e) {
                failedStep(e);
            }
        }
    }

    /** Ends everything, and checks that each registration has ended, once. */
    @Override
    public void close() {
        try {
            end();
            check();
            for (ModelHandler line : lines()) {
                require(!line.isInModel(), line + " outlives its reactor");
            }
        } finally {
            for (ModelHandler line : lines()) {
                line.connection.close();
            }
        }
    }
}
