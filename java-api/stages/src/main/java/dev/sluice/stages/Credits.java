package dev.sluice.stages;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;

/**
 * Flow control between stages by credits, the paper's future work (section 6): the stage has a number of credits. An
 * event takes as many as it costs, and returns them when it leaves the stage. So expensive events are rejected sooner
 * than cheap ones, and the events in the stage are bounded by their cost instead of their number.
 *
 * @param <E> the type of the events
 */
public final class Credits<E> implements Admission<E> {

    private final int total;
    private final ToIntFunction<? super E> cost;
    /** Changed in single steps, after which nothing is called: a call that throws for lack of stack changes nothing. */
    private final AtomicInteger available;

    /**
     * Creates an admission whose credits are all available.
     *
     * @param total the number of credits, at least 1
     * @param cost  returns the cost of an event: at least 0, and always the same for the same event. An event that
     *              costs more than the total is never accepted.
     * @throws IllegalArgumentException if the total is less than 1
     */
    public Credits(int total, ToIntFunction<? super E> cost) {
        this.total = Ranges.between("credits", total, 1, Integer.MAX_VALUE);
        this.cost = Objects.requireNonNull(cost, "cost");
        available = new AtomicInteger(total);
    }

    /** {@return the number of credits available} */
    public int available() {
        return available.get();
    }

    /** {@return the number of credits available when no event is in the stage} */
    public int total() {
        return total;
    }

    @Override
    public boolean admit(E event, int length) {
        int price = cost.applyAsInt(event);
        if (price < 0) {
            throw new IllegalArgumentException(event + " costs " + price + " credits, must be at least 0");
        }
        int present = available.get();
        while (present >= price) {
            if (available.compareAndSet(present, present - price)) {
                return true;
            }
            present = available.get();
        }
        return false;
    }

    @Override
    public void undo(E event) {
        available.getAndAdd(cost.applyAsInt(event));
    }

    @Override
    public void onDone(E event) {
        undo(event);
    }
}
