package dev.sluice.proactor;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.RetainedBuffer;
import dev.sluice.handle.Handle;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends back what it receives until the end of the stream, and notes if two of its hooks are called at once. */
final class ExclusiveEcho implements CompletionHandler {

    private final AsyncStream stream;
    private final Set<String> violations;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    /** Neither atomic nor volatile: one thread at a time counts, and sees what the others have counted. */
    private int plainCalls;
    private int sending;
    private boolean ended;
    private volatile boolean over;

    /** Begins at once. */
    ExclusiveEcho(Proactor proactor, SocketStream near, Set<String> violations) throws IOException {
        this.stream = new AsyncStream(proactor, near, this);
        this.violations = violations;
        stream.receiveContinuously(null);
    }

    private void in() {
        if (inside.getAndIncrement() != 0) {
            violations.add("two hooks of " + stream + " at once");
        }
        threads.add(Thread.currentThread());
        plainCalls++;
        if (calls.incrementAndGet() != plainCalls) {
            violations.add(stream + " has lost a count");
        }
    }

    private void out() {
        over = ended && sending == 0;
        inside.decrementAndGet();
    }

    @Override
    public void handleCompletion(Completion completion) {
        if (completion.type() == OperationType.SEND) {
            sent(completion);
        } else {
            received(completion);
        }
    }

    private void received(Completion completion) {
        in();
        try {
            if (completion.isLast()) {
                if (!completion.isEndOfStream()) {
                    violations.add(completion.toString());
                }
                ended = true;
                return;
            }
            RetainedBuffer received = completion.buffer().retain();
            stream.send(received.bytes(), received);
            sending++;
            // So that others come along while this hook lasts.
            Thread.yield();
        } finally {
            out();
        }
    }

    private void sent(Completion completion) {
        in();
        sending--;
        ((RetainedBuffer) completion.token()).close();
        out();
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        violations.add(stream + ": " + cause);
    }

    /** {@return whether the stream has ended and everything been sent} */
    boolean isOver() {
        return over;
    }

    /** {@return which threads have called its hooks} */
    Set<Thread> threads() {
        return threads;
    }
}
