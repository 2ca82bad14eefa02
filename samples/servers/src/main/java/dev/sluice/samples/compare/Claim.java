package dev.sluice.samples.compare;

import static dev.sluice.samples.conversation.ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC;
import static dev.sluice.samples.conversation.ConcurrencyStrategy.LEADER_FOLLOWERS;

import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.samples.conversation.HandleSetKind;
import dev.sluice.samples.conversation.PoolDesign;
import dev.sluice.samples.conversation.PoolLayout;
import java.util.function.BiPredicate;

/** A claim or expectation of the Leader/Followers paper about two setups that differ in one property. */
enum Claim {

    SWITCHES("fewer context switches than half-sync-half-async (13)", Figure.SWITCHES, false, Claim::isHalfSync),
    BYTES("fewer bytes allocated than half-sync-half-async (13)", Figure.BYTES, false, Claim::isHalfSync),
    LATENCY("lower median latency than half-sync-half-async (13)", Figure.P50, false, Claim::isHalfSync),
    TAIL("lower 99th percentile than half-sync-half-async (13)", Figure.P99, false, Claim::isHalfSync),
    THROUGHPUT("more requests per second than half-sync-half-async (13)", Figure.REQUESTS_PER_SECOND, true,
            Claim::isHalfSync),
    AFFINITY("less CPU time in LIFO order, with its warm caches, than in FIFO order (5.2, 10.1)", Figure.SERVER_CPU,
            false, (setup, rival) -> setup.pool().order() == PromotionOrder.LIFO
            && rival.pool().order() == PromotionOrder.FIFO && isSame(setup, rival, Axis.ORDER)),
    NATIVE_ORDER("more requests per second in implementation-defined order, which suits the system's synchronizers, "
            + "than in LIFO order (5.2)", Figure.REQUESTS_PER_SECOND, true,
            (setup, rival) -> setup.pool().order() == PromotionOrder.IMPLEMENTATION_DEFINED
            && rival.pool().order() == PromotionOrder.LIFO && isSame(setup, rival, Axis.ORDER)),
    PROMOTION("fewer context switches if the handler promotes only where it takes long, since promoting costs one (13)",
            Figure.SWITCHES, false, (setup, rival) -> setup.pool().promotion() == Promotion.BY_HANDLER
            && rival.pool().promotion() == Promotion.BEFORE_DISPATCH && isSame(setup, rival, Axis.PROMOTION)),
    CONCURRENT_SET("more requests per second if all threads wait than if only the leader does (10.2)",
            Figure.REQUESTS_PER_SECOND, true, (setup, rival) -> setup.isConcurrent()
            && rival.pool().kind() == HandleSetKind.ITERATIVE && isSame(setup, rival, Axis.KIND)),
    SEVERAL_SETS("more requests per second on several handle sets than on one (10.2)", Figure.REQUESTS_PER_SECOND, true,
            (setup, rival) -> setup.pool().handleSets() > 1 && rival.pool().handleSets() == 1
            && isSame(setup, rival, Axis.LAYOUT));

    /** What two setups may differ in. */
    private enum Axis { LAYOUT, KIND, ORDER, PROMOTION }

    private final String text;
    private final Figure figure;
    private final boolean more;
    private final BiPredicate<Setup, Setup> pairs;

    Claim(String text, Figure figure, boolean more, BiPredicate<Setup, Setup> pairs) {
        this.text = text;
        this.figure = figure;
        this.more = more;
        this.pairs = pairs;
    }

    private static boolean isHalfSync(Setup setup, Setup rival) {
        return setup.strategy() == LEADER_FOLLOWERS && setup.pool().layout() == PoolLayout.ONE_HANDLE_SET
                && rival.strategy() == HALF_SYNC_HALF_ASYNC && setup.demultiplexer().equals(rival.demultiplexer());
    }

    /** {@return whether two pools differ in one axis at most; without leaders there is no order and no promotion} */
    private static boolean isSame(Setup setup, Setup rival, Axis but) {
        PoolDesign own = setup.pool();
        PoolDesign other = rival.pool();
        return setup.demultiplexer().equals(rival.demultiplexer())
                && (but == Axis.LAYOUT || own.layout() == other.layout())
                && (but == Axis.KIND || own.kind() == other.kind()
                && (but == Axis.ORDER || own.order() == other.order())
                && (but == Axis.PROMOTION || own.promotion() == other.promotion()));
    }

    /** {@return a description, with the section of the paper} */
    String text() {
        return text;
    }

    Figure figure() {
        return figure;
    }

    /** {@return whether the claim is that the setup has more of the figure than the rival, and not less} */
    boolean isOfMore() {
        return more;
    }

    /** {@return whether it applies to these two} */
    boolean isAbout(Setup setup, Setup rival) {
        return pairs.test(setup, rival);
    }
}
