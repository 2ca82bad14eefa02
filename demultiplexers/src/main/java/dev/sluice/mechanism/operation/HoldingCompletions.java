package dev.sluice.mechanism.operation;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Completions of a processor that several threads wait on. From the moment this object brings completions of a handle
 * until it is waited with again or closed, no other thread gets completions of that handle.
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

        @Override
        boolean repeats() {
            return releaseCommanded.compareAndSet(false, true);
        }
    };
    /** The line of the handle that it took hold of last, which is linked to the others. Used inside. */
    private CompletionLine held;
    /** How many waits have been spared since one that has not. The first one never is. Used inside. */
    int spared = SharedProcessor.MOST_SPARED;
    /** Whether that one has completed something. Used inside. */
    boolean hasBrought;

    /**
     * Makes room.
     *
     * @param processor the processor that it works with
     * @param capacity  the most completions that one wait collects, at least 1
     */
    public HoldingCompletions(SharedProcessor processor, int capacity) {
        super(processor, capacity);
        this.processor = processor;
    }

    /** Does nothing: they are, from the moment that it was collected. */
    @Override
    public void withhold(int index) {
        record(index);
    }

    @Override
    public boolean isWithheld(int index) {
        return record(index).association() != null;
    }

    /** Does nothing: it is the next wait that releases them. */
    @Override
    public void release(int index) {
        record(index);
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

    /** {@return a line that is now no longer held, or null} */
    final CompletionLine letGo() {
        CompletionLine line = held;
        if (line != null) {
            held = line.nextHeld;
            line.nextHeld = null;
            line.holder = null;
        }
        return line;
    }

    /** Any thread may close it, since its own thread may have ended. */
    @Override
    public void close() {
        super.close();
        if (releaseCommanded.compareAndSet(false, true)) {
            processor.command(releaseCommand);
        }
    }
}
