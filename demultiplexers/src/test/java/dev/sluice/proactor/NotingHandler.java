package dev.sluice.proactor;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.ProvidedBuffer;
import dev.sluice.eventloop.EventLoopContract;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Notes the hooks of its connections in their order, and does in them what a test wants. */
final class NotingHandler implements StreamHandler {

    /** What a hook does. */
    @FunctionalInterface
    interface Hook {
        void call(AsyncStream stream) throws Exception;
    }

    /** What {@link #received} does. */
    @FunctionalInterface
    interface Receiver {
        void call(AsyncStream stream, ProvidedBuffer buffer) throws Exception;
    }

    private final List<String> hooks = new CopyOnWriteArrayList<>();
    private final Map<String, Hook> actions = new HashMap<>();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final AtomicInteger inHooks = new AtomicInteger();
    private Receiver receiver = (stream, buffer) -> take(buffer.bytes());
    volatile AsyncStream stream;
    volatile Throwable failure;
    volatile OperationType failed;
    volatile int maxAtOnce;

    /** Does this in a hook, instead of what it does by default. */
    NotingHandler on(String hook, Hook action) {
        actions.put(hook, action);
        return this;
    }

    NotingHandler onReceived(Receiver action) {
        receiver = action;
        return this;
    }

    List<String> hooks() {
        return hooks;
    }

    boolean hasCalled(String hook) {
        return hooks.contains(hook);
    }

    boolean isClosed() {
        return hasCalled("closed");
    }

    void take(ByteBuffer bytes) {
        byte[] piece = new byte[bytes.remaining()];
        bytes.get(piece);
        synchronized (received) {
            received.writeBytes(piece);
        }
    }

    byte[] bytes() {
        synchronized (received) {
            return received.toByteArray();
        }
    }

    int count() {
        synchronized (received) {
            return received.size();
        }
    }

    private void call(String hook, AsyncStream of, Hook byDefault) throws Exception {
        stream = of;
        maxAtOnce = Math.max(maxAtOnce, inHooks.incrementAndGet());
        try {
            actions.getOrDefault(hook, byDefault).call(of);
        } finally {
            inHooks.decrementAndGet();
            hooks.add(hook);
        }
    }

    @Override
    public void opened(AsyncStream of) throws Exception {
        call("opened", of, StreamHandler.super::opened);
    }

    @Override
    public void received(AsyncStream of, ProvidedBuffer buffer) throws Exception {
        stream = of;
        maxAtOnce = Math.max(maxAtOnce, inHooks.incrementAndGet());
        try {
            receiver.call(of, buffer);
        } finally {
            inHooks.decrementAndGet();
            if (hooks.isEmpty() || !hooks.get(hooks.size() - 1).equals("received")) {
                hooks.add("received");
            }
        }
    }

    @Override
    public void ended(AsyncStream of) throws Exception {
        call("ended", of, StreamHandler.super::ended);
    }

    @Override
    public void sent(AsyncStream of) throws Exception {
        if (actions.containsKey("sent")) {
            call("sent", of, null);
        }
    }

    @Override
    public void idle(AsyncStream of, Interest direction) throws Exception {
        call("idle " + direction, of, each -> StreamHandler.super.idle(each, direction));
    }

    @Override
    public void finish(AsyncStream of) throws Exception {
        call("finish", of, StreamHandler.super::finish);
    }

    @Override
    public void failed(AsyncStream of, OperationType operation, Throwable cause) {
        stream = of;
        failure = cause;
        failed = operation;
        hooks.add("failed");
        EventLoopContract.noteFailure(cause);
    }

    @Override
    public void closed(AsyncStream of) {
        try {
            call("closed", of, each -> { });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
