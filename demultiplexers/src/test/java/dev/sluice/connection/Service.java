package dev.sluice.connection;

import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.reactor.Registration;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A service that records the calls of its hooks, and echoes what it receives until the peer has finished. */
final class Service extends ServiceHandler {

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(256);
    private volatile Thread thread;
    private volatile boolean opened;
    private Runnable onConnectFailed = () -> { };
    private OtherThread.Action onOpen = () -> { };

    /** When it is registered. */
    Service onOpen(OtherThread.Action action) {
        onOpen = action;
        return this;
    }

    Service onConnectFailed(Runnable action) {
        onConnectFailed = action;
        return this;
    }

    List<String> calls() {
        return List.copyOf(calls);
    }

    List<Throwable> failures() {
        return List.copyOf(failures);
    }

    boolean isOver() {
        return !calls.isEmpty();
    }

    boolean isOpened() {
        return opened;
    }

    boolean isClosed() {
        return calls.contains("close");
    }

    Thread thread() {
        return thread;
    }

    @Override
    protected void open() throws Exception {
        thread = Thread.currentThread();
        calls.add("open");
        onOpen.run();
        opened = true;
    }

    @Override
    protected void connectFailed(Throwable cause) {
        thread = Thread.currentThread();
        failures.add(cause);
        onConnectFailed.run();
        calls.add("connectFailed");
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        int received;
        while ((received = peer().receive(buffer.clear())) > 0) {
            peer().send(buffer.flip());
        }
        if (received < 0) {
            registration.close();
        }
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        EventLoopContract.noteFailure(cause);
        failures.add(cause);
        calls.add("failure");
    }

    @Override
    public void handleClose(Registration registration) {
        registration.handle().close();
        calls.add("close");
    }
}
