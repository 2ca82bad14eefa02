package dev.sluice.failure;

/**
 * The steps of a close. They are created together with the object that they close, so that a close allocates nothing.
 * If a step throws, the later ones are taken nevertheless. Each is taken once, but a step that has thrown for lack of
 * memory or stack is repeated by the next run. One thread at a time runs them; others wait for it.
 */
public final class CloseSteps {

    private final Runnable[] steps;
    private final boolean[] taken;

    /** Creates an object for the given steps, in this order. */
    public CloseSteps(Runnable... steps) {
        this.steps = steps.clone();
        this.taken = new boolean[steps.length];
    }

    /** Takes the steps that have not been taken, and then throws the first exception. */
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
