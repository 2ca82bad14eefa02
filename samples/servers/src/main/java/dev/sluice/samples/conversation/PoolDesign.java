package dev.sluice.samples.conversation;

import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;

/**
 * The choices that the Leader/Followers paper leaves to the implementation, except for the waiting mechanism.
 *
 * @param layout     which threads wait on which handle set
 * @param handleSets the number of handle sets: one, or at least two if the layout has several
 * @param kind       whether one thread waits, the leader, or all at once (implementation activity 1); null for the
 *                   default of {@link dev.sluice.leaderfollowers.HandleSetSource#open(String)}
 * @param order      which follower is promoted (5.2); null if no thread leads, and it does not matter
 * @param promotion  whether the pool or the handler promotes it (5.1); null if no thread leads, and it does not matter
 */
public record PoolDesign(PoolLayout layout, int handleSets, HandleSetKind kind, PromotionOrder order,
                         Promotion promotion) {

    /**
     * The defaults of a {@link dev.sluice.leaderfollowers.LeaderFollowersPool} and its registrations; {@link
     * PromotionOrder} and {@link Promotion} give the reasons. Also suitable for all servers whose steps may block.
     */
    public static final PoolDesign USUAL = new PoolDesign(PoolLayout.ONE_HANDLE_SET, 1, null,
            PromotionOrder.IMPLEMENTATION_DEFINED, Promotion.BEFORE_DISPATCH);

    /**
     * For threads that wait for responses in the pool. Has a leader on every kind of handle set: only a leader can hand
     * a response to the thread that waits for it. The priority of a thread reflects its current work.
     */
    public static final PoolDesign BOUND = new PoolDesign(PoolLayout.ONE_HANDLE_SET, 1, HandleSetKind.ITERATIVE,
            PromotionOrder.PRIORITY, Promotion.BEFORE_DISPATCH);

    /** {@return the order for a pool, never null: a pool requires one even if it has no leader} */
    PromotionOrder anyOrder() {
        return order == null ? USUAL.order : order;
    }

    /** {@return which side promotes, never null: a registration requires it even in a pool without leaders} */
    Promotion anyPromotion() {
        return promotion == null ? USUAL.promotion : promotion;
    }
}
