package dev.sluice.connection;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.reactor.Registration;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A service that records the calls of its hooks, and echoes unless the test says otherwise. */
final class RecordedService extends ServiceHandler {

    /** What a hook does. */
    @FunctionalInterface
    interface Action {
        void on(RecordedService service, ByteBuffer bytes) throws Exception;
    }

    /** What a hook without an argument does. */
    @FunctionalInterface
    interface Hook {
        void on(RecordedService service) throws Exception;
    }

    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    volatile Action onReceived = (service, bytes) -> service.output().send(bytes);
    volatile Hook onOpen = service -> { };
    /** Null for what happens if the hook is not overridden. */
    volatile Hook onEnded;
    volatile Hook onFinish;
    volatile Consumer<RecordedService> onConnectFailed = service -> { };

    private void hook(String name, Hook hook) throws Exception {
        if (inside.incrementAndGet() != 1) {
            EventLoopContract.noteFailure(new AssertionError(name + " is called inside another hook, or with it"));
        }
        if (!name.equals("received")) {
            calls.add(name);
        }
        try {
            hook.on(this);
        } finally {
            inside.decrementAndGet();
        }
    }

    @Override
    protected void open() throws Exception {
        hook("open", onOpen);
    }

    @Override
    protected void received(ByteBuffer bytes) throws Exception {
        hook("received", service -> onReceived.on(service, bytes));
    }

    @Override
    protected void ended() throws Exception {
        if (onEnded == null) {
            super.ended();
        } else {
            hook("ended", onEnded);
        }
    }

    @Override
    protected void finish() throws Exception {
        if (onFinish == null) {
            super.finish();
        } else {
            hook("finish", onFinish);
        }
    }

    @Override
    protected void connectFailed(Throwable cause) {
        calls.add("connectFailed");
        failures.add(cause);
        onConnectFailed.accept(this);
    }

    @Override
    protected void closed() throws Exception {
        hook("closed", service -> { });
    }

    @Override
    public void handleFailure(Registration failed, Throwable cause) {
        EventLoopContract.noteFailure(cause);
        failures.add(cause);
    }

    boolean isClosed() {
        return calls.contains("closed");
    }

    void awaitClosed() {
        OtherThread.await(this::isClosed);
    }

    /** {@return what a task returns that runs where the hooks are called} */
    <T> T inLoop(Callable<T> task) throws Exception {
        FutureTask<T> future = new FutureTask<>(task);
        loop().execute(future);
        return future.get(EventLoopContract.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
}
