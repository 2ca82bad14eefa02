package dev.sluice.mechanism.operation;

/** Completions of a processor that one thread waits on. */
final class SoleCompletions extends CollectedCompletions {

    private final SoleProcessor processor;

    /**
     * Makes room.
     *
     * @param processor the processor that it works with
     * @param capacity  the most completions that one wait collects, at least 1
     */
    SoleCompletions(SoleProcessor processor, int capacity) {
        super(processor, capacity);
        this.processor = processor;
    }

    @Override
    public void withhold(int index) {
        HandleAssociation association = record(index).association();
        if (association != null) {
            processor.withhold(association, this);
        }
    }

    @Override
    public boolean isWithheld(int index) {
        HandleAssociation association = record(index).association();
        return association != null && association.completions().holder != null;
    }

    @Override
    public void release(int index) {
        HandleAssociation association = record(index).association();
        if (association != null) {
            processor.release(association);
        }
    }
}
