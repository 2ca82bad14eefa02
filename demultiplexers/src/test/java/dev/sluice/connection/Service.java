package dev.sluice.connection;

import dev.sluice.demultiplexer.EventType;
import dev.sluice.eventloop.EventLoopContract;
import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.Handle;
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
    private OtherThread.Action onOpen = () -> dispatcher().registerHandler(this, EventType.READ);

    /** Instead of registering. */
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
    public void handleInput(Handle handle) throws IOException {
        int received;
        while ((received = peer().receive(buffer.clear())) > 0) {
            peer().send(buffer.flip());
        }
        if (received < 0) {
            dispatcher().removeHandler(this);
        }
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        EventLoopContract.noteFailure(cause);
        failures.add(cause);
        calls.add("failure");
    }

    @Override
    public void handleClose(Handle handle, int events) {
        handle.close();
        calls.add("close");
    }
}
