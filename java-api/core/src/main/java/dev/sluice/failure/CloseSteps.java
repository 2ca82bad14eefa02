package dev.sluice.failure;

/**
 * The steps of a close. All are made together with what they close, so that a close allocates nothing of its own. A
 * step that throws does not keep the later ones from being taken. Each is taken once, except that one that has thrown
 * for lack of memory or stack has not been taken: the next run repeats it. A thread that runs them while another one
 * does waits for that.
 */
public final class CloseSteps {

    private final Runnable[] steps;
    private final boolean[] taken;

    /** Makes them of what is to be done, in this order. */
    public CloseSteps(Runnable... steps) {
        this.steps = steps.clone();
        this.taken = new boolean[steps.length];
    }

    /** Takes the steps that have not been taken, and throws what the first of them has thrown. */
    public synchronized void run() {
        Throwable first = null;
        for (int i = 0; i < steps.length; i++) {
            if (!taken[i]) {
                try {
                    steps[i].run();
                    taken[i] = true;
                } catch (Throwable e) {
                    taken[i] = !Failures.isShortage(e);
                    first = Failures.and(first, e);
                }
            }
        }
        Failures.throwFirst(first);
    }

    /** {@return whether all have been taken} */
    public synchronized boolean areTaken() {
        for (boolean each : taken) {
            if (!each) {
                return false;
            }
        }
        return true;
    }
}
