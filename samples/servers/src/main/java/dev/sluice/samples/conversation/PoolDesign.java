package dev.sluice.samples.conversation;

import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;

/**
 * The choices that the Leader/Followers paper leaves to the implementation and that do not depend on the waiting
 * mechanism.
 *
 * @param layout     which threads wait on which handle set
 * @param handleSets how many there are: one, or two and more where the layout has several
 * @param kind       whether one thread waits, the leader, or all at once (implementation activity 1); null for
 *                   whatever {@link dev.sluice.leaderfollowers.HandleSetSource#open(String)} makes of its name
 * @param order      which follower is promoted (5.2); null if no thread leads, and it does not matter
 * @param promotion  who promotes it (5.1); null if no thread leads, and it does not matter
 */
public record PoolDesign(PoolLayout layout, int handleSets, HandleSetKind kind, PromotionOrder order,
                         Promotion promotion) {

    /**
     * What a {@link dev.sluice.leaderfollowers.LeaderFollowersPool} and its registrations have by default: {@link
     * PromotionOrder} and {@link Promotion} say why. Right for all servers whose steps may block, too.
     */
    public static final PoolDesign USUAL = new PoolDesign(PoolLayout.ONE_HANDLE_SET, 1, null,
            PromotionOrder.IMPLEMENTATION_DEFINED, Promotion.BEFORE_DISPATCH);

    /**
     * For threads that wait for responses in the pool. With a leader on every kind of handle set: only a leader can
     * hand a response to the thread that waits for it. Its priority says how much a thread has to do already.
     */
    public static final PoolDesign BOUND = new PoolDesign(PoolLayout.ONE_HANDLE_SET, 1, HandleSetKind.ITERATIVE,
            PromotionOrder.PRIORITY, Promotion.BEFORE_DISPATCH);

    /** {@return the order for a pool, which wants one even where it has no leader} */
    PromotionOrder anyOrder() {
        return order == null ? USUAL.order : order;
    }

    /** {@return which side promotes, never null: a registration requires it even in a pool without leaders} */
    Promotion anyPromotion() {
        return promotion == null ? USUAL.promotion : promotion;
    }
}
