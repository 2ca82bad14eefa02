package dev.sluice.stages;

import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.ToIntFunction;

/**
 * Flow control between stages by credits, the paper's future work (section 6): the stage has so many, an event takes as
 * many as its class costs, and gives them back when it leaves the stage. So events that are expensive are refused
 * sooner than cheap ones, and what is inside is bounded by its cost instead of its number.
 *
 * @param <E> the events
 */
public final class Credits<E> implements Admission<E> {

    private final int total;
    private final ToIntFunction<? super E> cost;
    private final Semaphore left;

    /**
     * Has all of its credits at first.
     *
     * @param total how many there are, at least 1
     * @param cost  what an event costs: at least 0, and always the same for the same event. An event that costs more
     *              than there are never gets in.
     * @throws IllegalArgumentException if there are none
     */
    public Credits(int total, ToIntFunction<? super E> cost) {
        this.total = Ranges.between("credits", total, 1, Integer.MAX_VALUE);
        this.cost = Objects.requireNonNull(cost, "cost");
        left = new Semaphore(total);
    }

    /** {@return how many are there} */
    public int left() {
        return left.availablePermits();
    }

    /** {@return how many there are if no event is inside} */
    public int total() {
        return total;
    }

    @Override
    public boolean admit(E event, int length) {
        int price = cost.applyAsInt(event);
        if (price < 0) {
            throw new IllegalArgumentException(event + " costs " + price + " credits, must be at least 0");
        }
        return left.tryAcquire(price);
    }

    @Override
    public void giveBack(E event) {
        left.release(cost.applyAsInt(event));
    }

    @Override
    public void leave(E event) {
        giveBack(event);
    }
}
