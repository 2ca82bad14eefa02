package dev.sluice.reactor;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OsSignal;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
import dev.sluice.timer.TimeoutHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A handler that notes every hook that is called, and then does what the test wants. Does not close its handle. */
public final class Recorder extends OneHandleHandler implements TimeoutHandler {

    /** A way to get at the bytes of a handle. */
    @FunctionalInterface
    public interface Source {
        /** {@return the number of bytes that came, 0 if none are there now, negative at the end} */
        int receive(ByteBuffer destination) throws IOException;
    }

    private static final OtherThread.Action NOTHING = () -> { };

    private final String name;
    private final Handle handle;
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<Handle> handles = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final ByteBuffer room = ByteBuffer.allocateDirect(1024);
    private volatile int received;
    private volatile boolean ended;
    private Source source = destination -> 0;
    private OtherThread.Action onInput = NOTHING;
    private OtherThread.Action onOutput = NOTHING;
    private OtherThread.Action onException = NOTHING;
    private OtherThread.Action onTimeout = NOTHING;
    private OtherThread.Action onSignal = NOTHING;
    private OtherThread.Action onClose = NOTHING;
    private OtherThread.Action onFailure = NOTHING;

    public Recorder(String name, Handle handle) {
        this.name = name;
        this.handle = handle;
    }

    /** For timers, signals and the like. */
    public Recorder(String name) {
        this(name, null);
    }

    public Recorder drain(Source bytes) {
        source = bytes;
        return this;
    }

    public Recorder onInput(OtherThread.Action action) {
        onInput = action;
        return this;
    }

    public Recorder onOutput(OtherThread.Action action) {
        onOutput = action;
        return this;
    }

    public Recorder onException(OtherThread.Action action) {
        onException = action;
        return this;
    }

    public Recorder onTimeout(OtherThread.Action action) {
        onTimeout = action;
        return this;
    }

    public Recorder onSignal(OtherThread.Action action) {
        onSignal = action;
        return this;
    }

    public Recorder onClose(OtherThread.Action action) {
        onClose = action;
        return this;
    }

    public Recorder onFailure(OtherThread.Action action) {
        onFailure = action;
        return this;
    }

    /** {@return what was called, one word each, with a detail where there is one} */
    public List<String> calls() {
        return List.copyOf(calls);
    }

    /** {@return how often a hook was called} */
    public int count(String hook) {
        return (int) calls.stream().filter(call -> call.equals(hook) || call.startsWith(hook + " ")).count();
    }

    public boolean called(String hook) {
        return count(hook) > 0;
    }

    /** {@return the handle of each call} */
    public List<Handle> handles() {
        return List.copyOf(handles);
    }

    public List<Throwable> failures() {
        return List.copyOf(failures);
    }

    public Set<Thread> threads() {
        return Set.copyOf(threads);
    }

    /** {@return the number of bytes} */
    public int received() {
        return received;
    }

    public boolean ended() {
        return ended;
    }

    private void note(String call, Registration of, OtherThread.Action action) throws Exception {
        if (of != null) {
            note(of);
            handles.add(of.handle());
        }
        threads.add(Thread.currentThread());
        // Last, because other threads wait for it.
        calls.add(call);
        action.run();
    }

    @Override
    public Handle handle() {
        return handle;
    }

    @Override
    public void handleInput(Registration registration) throws Exception {
        int count;
        do {
            count = source.receive(room.clear());
            received += Math.max(count, 0);
            ended |= count < 0;
        } while (count > 0);
        note("input", registration, onInput);
    }

    @Override
    public void handleOutput(Registration registration) throws Exception {
        note("output", registration, onOutput);
    }

    @Override
    public void handleException(Registration registration) throws Exception {
        note("exception", registration, onException);
    }

    @Override
    public void handleTimeout(Object token) throws Exception {
        note("timeout " + token, null, onTimeout);
    }

    /** {@return a task that notes a signal} */
    public Runnable signal(OsSignal signal) {
        return () -> {
            try {
                note("signal " + signal, null, onSignal);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        EventLoopContract.noteFailure(cause);
        failures.add(cause);
        try {
            note("failure", registration, onFailure);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void handleClose(Registration registration) throws Exception {
        note("close " + registration.interest(), registration, onClose);
    }

    @Override
    public String toString() {
        return name;
    }
}
