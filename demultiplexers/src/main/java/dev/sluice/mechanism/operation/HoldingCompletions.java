package dev.sluice.mechanism.operation;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Completions of a processor that several threads wait on. From when it brings a handle's completions to the next wait,
 * or its close, nobody else gets any of that handle.
 */
public class HoldingCompletions extends CollectedCompletions {

    private final SharedProcessor processor;
    private final AtomicBoolean releaseCommanded = new AtomicBoolean();
    private final Command releaseCommand = new Command() {
        @Override
        void perform() {
            releaseCommanded.set(false);
            processor.release(HoldingCompletions.this);
        }
    };
    /** The line of the handle that it took hold of last, which leads to the others. Used inside. */
    private CompletionLine held;

    /**
     * Makes room.
     *
     * @param processor that it works with
     * @param capacity  the most completions that one wait collects, at least 1
     */
    public HoldingCompletions(SharedProcessor processor, int capacity) {
        super(processor, capacity);
        this.processor = processor;
    }

    /** {@return the line that it took hold of last, null if it holds none} */
    final CompletionLine held() {
        return held;
    }

    final void hold(CompletionLine line) {
        line.holder = this;
        line.nextHeld = held;
        held = line;
    }

    /** {@return a line that is not held any more, or null} */
    final CompletionLine letGo() {
        CompletionLine line = held;
        if (line != null) {
            held = line.nextHeld;
            line.nextHeld = null;
            line.holder = null;
        }
        return line;
    }

    /** Any thread may close it, for one that has ended. */
    @Override
    public void close() {
        super.close();
        if (releaseCommanded.compareAndSet(false, true)) {
            processor.command(releaseCommand);
        }
    }
}
