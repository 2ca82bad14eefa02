package dev.sluice.samples.compare;

import static dev.sluice.samples.conversation.ConcurrencyStrategy.HALF_SYNC_HALF_ASYNC;
import static dev.sluice.samples.conversation.ConcurrencyStrategy.LEADER_FOLLOWERS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.samples.conversation.HandleSetKind;
import dev.sluice.samples.conversation.PoolDesign;
import dev.sluice.samples.conversation.PoolLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Conclusions from invented figures. */
class ClosingNoteTest {

    private static final int THREADS = 4;
    private static final Setup LIFO = led("epoll", PromotionOrder.LIFO, Promotion.BEFORE_DISPATCH);
    private static final Setup FIFO = led("epoll", PromotionOrder.FIFO, Promotion.BEFORE_DISPATCH);
    private static final Setup ANY_ORDER =
            led("epoll", PromotionOrder.IMPLEMENTATION_DEFINED, Promotion.BEFORE_DISPATCH);
    private static final Setup BY_HANDLER = led("epoll", PromotionOrder.LIFO, Promotion.BY_HANDLER);
    private static final Setup ONE_SHOT_LIFO = led("epoll-one-shot", PromotionOrder.LIFO, Promotion.BEFORE_DISPATCH);
    private static final Setup CONCURRENT = new Setup(LEADER_FOLLOWERS, "epoll-one-shot", THREADS,
            new PoolDesign(PoolLayout.ONE_HANDLE_SET, 1, HandleSetKind.CONCURRENT, null, null));
    private static final Setup LEADERS = new Setup(LEADER_FOLLOWERS, "epoll", THREADS, new PoolDesign(
            PoolLayout.MULTIPLE_LEADERS, 2, HandleSetKind.ITERATIVE, PromotionOrder.LIFO, Promotion.BEFORE_DISPATCH));
    private static final Setup HALF_SYNC = new Setup(HALF_SYNC_HALF_ASYNC, "epoll", THREADS, Setup.NO_POOL);
    private static final Setup HALF_SYNC_ON_POLL = new Setup(HALF_SYNC_HALF_ASYNC, "poll", THREADS, Setup.NO_POOL);

    private static final Workload IDLE = new Workload(16, 0);
    private static final Workload BUSY = new Workload(16, 200);

    private final Comparison comparison = new Comparison(List.of(LIFO, FIFO, ANY_ORDER, BY_HANDLER, ONE_SHOT_LIFO,
            CONCURRENT, LEADERS, HALF_SYNC, HALF_SYNC_ON_POLL), List.of(IDLE, BUSY));

    private static Setup led(String demultiplexer, PromotionOrder order, Promotion promotion) {
        return new Setup(LEADER_FOLLOWERS, demultiplexer, THREADS,
                new PoolDesign(PoolLayout.ONE_HANDLE_SET, 1, HandleSetKind.ITERATIVE, order, promotion));
    }

    /** All figures of a row: four repetitions around one number, and that many requests per second at most. */
    private void measure(Setup setup, Workload workload, double... values) {
        for (Figure figure : Figure.values()) {
            for (double value : values) {
                comparison.at(setup, workload).add(figure, value);
            }
        }
    }

    private void assertSaid(Claim claim, String said) {
        List<String> lines = new ClosingNote(comparison).lines().stream()
                .filter(line -> line.startsWith(claim.text())).toList();
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.get(0).startsWith(claim.text() + ": " + said), lines.get(0));
    }

    @Test
    void saysWhatHoldsAndWhatDoesNot() {
        measure(LIFO, IDLE, 1, 2, 3, 4);
        measure(HALF_SYNC, IDLE, 5, 6, 7, 8);
        assertSaid(Claim.SWITCHES, "holds; of 1 pairs it holds in 1, the opposite in 0, not decided are 0; median "
                + "x0.38, from x0.38 (leader-followers on epoll (4 threads, one-handle-set, iterative, lifo, "
                + "before-dispatch), 16 connections, 0 us)");
        assertSaid(Claim.THROUGHPUT, "the opposite holds; of 1 pairs it holds in 0, the opposite in 1, not decided");
        measure(LIFO, BUSY, 5, 6, 7, 8);
        measure(HALF_SYNC, BUSY, 1, 2, 3, 4);
        assertSaid(Claim.SWITCHES, "holds for some pairs only; of 2 pairs it holds in 1, the opposite in 1, not");
    }

    @Test
    void decidesNothingWithinTheSpread() {
        measure(LIFO, IDLE, 1, 2, 3, 4);
        measure(HALF_SYNC, IDLE, 4, 50, 60, 70);
        assertSaid(Claim.SWITCHES, "not decided; of 1 pairs it holds in 0, the opposite in 0, not decided are 1;");
        assertSaid(Claim.THROUGHPUT, "not decided;");
    }

    @Test
    void decidesNothingOfFewRepetitions() {
        measure(LIFO, IDLE, 1, 1, 1);
        measure(HALF_SYNC, IDLE, 100, 100, 100);
        assertSaid(Claim.SWITCHES, "not decided;");
    }

    @Test
    void comparesNothingWithAnotherMechanism() {
        measure(LIFO, IDLE, 1, 2, 3, 4);
        measure(HALF_SYNC_ON_POLL, IDLE, 5, 6, 7, 8);
        measure(CONCURRENT, IDLE, 5, 6, 7, 8);
        for (Claim claim : Claim.values()) {
            assertSaid(claim, "not compared");
        }
    }

    @Test
    void comparesWhatDiffersInOneThing() {
        measure(LIFO, IDLE, 5, 6, 7, 8);
        measure(FIFO, IDLE, 15, 16, 17, 18);
        measure(ANY_ORDER, IDLE, 25, 26, 27, 28);
        measure(BY_HANDLER, IDLE, 1, 2, 3, 4);
        measure(ONE_SHOT_LIFO, IDLE, 1, 2, 3, 4);
        measure(CONCURRENT, IDLE, 5, 6, 7, 8);
        measure(LEADERS, IDLE, 15, 16, 17, 18);
        assertSaid(Claim.AFFINITY, "holds; of 1 pairs");
        assertSaid(Claim.NATIVE_ORDER, "holds; of 1 pairs");
        assertSaid(Claim.PROMOTION, "holds; of 1 pairs");
        assertSaid(Claim.CONCURRENT_SET, "holds; of 1 pairs");
        assertSaid(Claim.SEVERAL_SETS, "holds; of 1 pairs");
        assertSaid(Claim.SWITCHES, "not compared");
    }

    @Test
    void namesTheBestOnlyIfItIs() {
        measure(LIFO, IDLE, 10, 20, 30, 40);
        measure(FIFO, IDLE, 4, 4, 4, 4);
        measure(LIFO, BUSY, 10, 20, 30, 40);
        measure(FIFO, BUSY, 9, 9, 9, 10);
        measure(HALF_SYNC, BUSY, 8, 8, 8, 11);
        List<String> lines = new ClosingNote(comparison).lines();
        assertEquals("most requests per second with 16 connections, 0 us: " + LIFO + ", x6.25 of the next",
                lines.get(lines.size() - 2));
        assertEquals("most requests per second with 16 connections, 200 us: not decided between " + LIFO + " and "
                + FIFO + ", and 1 more", lines.get(lines.size() - 1));
    }

    @Test
    void doubtsWhatWasMeasuredOnABusyMachine() {
        measure(LIFO, IDLE, 1, 2, 3, 4);
        assertEquals(List.of(), new Cautions(comparison).lines());
        comparison.at(LIFO, IDLE).add(Figure.OTHERS_CPU, 150);
        assertEquals(List.of("other processes were busy on this machine in 1 of 1 rows, for up to 150 % of a CPU ("
                + LIFO + ", 16 connections, 0 us): the effect on the figures is unknown"),
                new Cautions(comparison).lines());
    }

    @Test
    void doubtsWhatMayHaveBeenLimitedByTheLoad() {
        measure(LIFO, BUSY, 1, 2, 3, 4);
        measure(FIFO, BUSY, 1, 2, 3, 4);
        comparison.at(FIFO, BUSY).add(Figure.GENERATOR_CPU, 99);
        assertEquals(List.of("the load generator's thread was busy in 1 of 2 rows, for up to 99 % of a CPU (" + FIFO
                + ", 16 connections, 200 us): it may have limited the throughput"),
                new Cautions(comparison).lines());
    }
}
