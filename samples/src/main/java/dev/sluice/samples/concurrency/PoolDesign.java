package dev.sluice.samples.concurrency;

import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * What the Leader/Followers paper leaves to whoever implements it, and what has nothing to do with the mechanism that
 * waits.
 *
 * @param kind      whether one thread waits, the leader, or all at once (implementation activity 1); null in a model
 *                  that is no pool of this pattern
 * @param order     which follower is promoted (5.2); null where no thread leads
 * @param promotion who promotes it (5.1); null where no thread leads
 */
public record PoolDesign(HandleSetKind kind, PromotionOrder order, Promotion promotion) {

    /** For a model that is no pool of this pattern. */
    public static final PoolDesign NONE = new PoolDesign(null, null, null);

    private static final PoolDesign CONCURRENT = new PoolDesign(HandleSetKind.CONCURRENT, null, null);

    /** {@return all pools that have leaders} */
    static List<PoolDesign> withLeaders() {
        List<PoolDesign> designs = new ArrayList<>();
        for (PromotionOrder order : PromotionOrder.values()) {
            for (Promotion promotion : Promotion.values()) {
                designs.add(new PoolDesign(HandleSetKind.ITERATIVE, order, promotion));
            }
        }
        return designs;
    }

    /** {@return all pools that there can be on a handle set: one that many may wait on does with a leader as well} */
    static List<PoolDesign> on(DemultiplexerFactory demultiplexer) {
        List<PoolDesign> designs = withLeaders();
        if (demultiplexer.handleSetKind() == HandleSetKind.CONCURRENT) {
            designs.add(CONCURRENT);
        }
        return designs;
    }

    /** {@return the order for a pool, which wants one even where it has no leader} */
    PromotionOrder anyOrder() {
        return order == null ? PromotionOrder.IMPLEMENTATION_DEFINED : order;
    }

    /** {@return who promotes, as a registration wants to know even where nobody leads} */
    Promotion anyPromotion() {
        return promotion == null ? Promotion.BEFORE_DISPATCH : promotion;
    }
}
