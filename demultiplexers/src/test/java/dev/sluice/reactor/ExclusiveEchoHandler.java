package dev.sluice.reactor;

import dev.sluice.demultiplexer.Interest;
import dev.sluice.handle.Handle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends back what it receives until the end of the stream, and notes if two of its hooks are called at once. */
final class ExclusiveEchoHandler extends OneHandleHandler {

    private final Reactor reactor;
    private final Connection connection;
    private final Set<String> violations;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    // Neither atomic nor volatile: one thread at a time uses these, and sees what the others have written.
    private final ByteBuffer room = ByteBuffer.allocateDirect(256).limit(0);
    private int plainCalls;
    private int closes;
    private boolean writing;
    private volatile boolean over;

    /** Begins at once. */
    ExclusiveEchoHandler(Reactor reactor, Connection connection, Set<String> violations) throws IOException {
        this.reactor = reactor;
        this.connection = connection;
        this.violations = violations;
        register(reactor, Interest.READ);
    }

    @Override
    public Handle handle() {
        return connection.near().handle();
    }

    private void in() {
        if (inside.getAndIncrement() != 0) {
            violations.add("two hooks of " + connection + " at once");
        }
        threads.add(Thread.currentThread());
        plainCalls++;
        if (calls.incrementAndGet() != plainCalls) {
            violations.add(connection + " has lost a count");
        }
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        in();
        try {
            // One piece at a time, so that it is called again and again.
            if (!room.hasRemaining()) {
                int count = connection.near().receive(room.clear());
                room.flip();
                if (count < 0) {
                    inside.decrementAndGet();
                    registration.close();
                    inside.incrementAndGet();
                    return;
                }
            }
            // So that others come along while this hook lasts.
            Thread.yield();
            send();
        } finally {
            inside.decrementAndGet();
        }
    }

    @Override
    public void handleOutput(Registration registration) throws IOException {
        in();
        try {
            send();
        } finally {
            inside.decrementAndGet();
        }
    }

    private void send() throws IOException {
        while (room.hasRemaining() && connection.near().send(room) > 0) {
            Thread.onSpinWait();
        }
        if (writing != room.hasRemaining()) {
            writing = room.hasRemaining();
            registration().interest(writing ? Interest.WRITE : Interest.READ);
        }
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        violations.add(connection + ": " + cause);
    }

    @Override
    public void handleClose(Registration registration) {
        in();
        if (++closes != 1) {
            violations.add(connection + " is closed again");
        }
        over = true;
        inside.decrementAndGet();
    }

    /** {@return whether its registration has ended} */
    boolean isOver() {
        return over;
    }

    /** {@return which threads have called its hooks} */
    Set<Thread> threads() {
        return threads;
    }
}
