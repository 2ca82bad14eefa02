package dev.sluice.samples.compare;

import dev.sluice.demultiplexer.Mechanism;
import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.conversation.ConcurrencyStrategy.Waits;
import dev.sluice.samples.conversation.HandleSetKind;
import dev.sluice.samples.conversation.PoolDesign;
import dev.sluice.samples.conversation.PoolLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A concurrency strategy on a mechanism.
 *
 * @param strategy      how threads share the work
 * @param demultiplexer the name of one that the strategy works on
 * @param threads       the number of threads; 0 where the clients decide
 * @param pool          the design of a Leader/Followers pool
 */
record Setup(ConcurrencyStrategy strategy, String demultiplexer, int threads, PoolDesign pool) {

    /** Written for an axis that a setup does not have. */
    static final String NONE = "-";
    /** Of a strategy that is no pool of Leader/Followers. */
    static final PoolDesign NO_POOL = new PoolDesign(null, 0, null, null, null);

    /**
     * {@return all setups available here, for each strategy the best mechanism first}
     *
     * @param threads    of a server, where one can choose; reactors are also measured alone
     * @param handleSets of a layout that has several
     */
    static List<Setup> available(int threads, int handleSets) {
        List<Setup> setups = new ArrayList<>();
        for (ConcurrencyStrategy strategy : ConcurrencyStrategy.values()) {
            if (strategy.unavailable() == null) {
                Mechanism.available().stream()
                        .filter(factory -> worksOn(strategy, factory) && factory.availability().usable())
                        // Measuring the others would be pointless: the handle set only accepts here.
                        .limit(strategy.waits() == Waits.IN_KERNEL ? 1 : Long.MAX_VALUE)
                        .forEach(factory -> addAll(setups, strategy, factory, threads, handleSets));
            }
        }
        return setups;
    }

    private static boolean worksOn(ConcurrencyStrategy strategy, Mechanism factory) {
        return factory.mode() == strategy.mode()
                && (!strategy.isConcurrent() || factory.isConcurrent());
    }

    private static void addAll(List<Setup> setups, ConcurrencyStrategy strategy, Mechanism factory,
            int threads, int handleSets) {
        int count = strategy.defaultThreads() == 0 ? 0 : threads;
        if (strategy == ConcurrencyStrategy.LEADER_FOLLOWERS) {
            pools(factory, handleSets).forEach(pool -> setups.add(new Setup(strategy, factory.name(), count, pool)));
            return;
        }
        if (strategy == ConcurrencyStrategy.REACTOR_PER_THREAD && count > 1) {
            setups.add(new Setup(strategy, factory.name(), 1, NO_POOL));
        }
        setups.add(new Setup(strategy, factory.name(), count, NO_POOL));
    }

    /** {@return all possible pools: a concurrent handle set can be used with a leader as well} */
    private static List<PoolDesign> pools(Mechanism factory, int handleSets) {
        List<PoolDesign> designs = new ArrayList<>();
        for (PoolLayout layout : PoolLayout.values()) {
            int count = layout == PoolLayout.ONE_HANDLE_SET ? 1 : handleSets;
            for (PromotionOrder order : PromotionOrder.values()) {
                for (Promotion promotion : Promotion.values()) {
                    designs.add(new PoolDesign(layout, count, HandleSetKind.ITERATIVE, order, promotion));
                }
            }
            if (factory.isConcurrent() && layout != PoolLayout.MULTIPLE_LEADERS) {
                designs.add(new PoolDesign(layout, count, HandleSetKind.CONCURRENT, null, null));
            }
        }
        return designs;
    }

    /** {@return whether all threads wait at once} */
    boolean isConcurrent() {
        return pool.kind() == HandleSetKind.CONCURRENT;
    }

    /** {@return whether one thread does everything} */
    boolean isSingleReactor() {
        return strategy == ConcurrencyStrategy.REACTOR_PER_THREAD && threads == 1;
    }

    /** {@return whether it serves all connections: each thread of a thread pool serves one of them to its end} */
    boolean serves(Workload workload) {
        return strategy != ConcurrencyStrategy.THREAD_POOL || workload.connections() <= threads;
    }

    /** {@return the constant as it is written on the command line and in the table, such as {@code before-dispatch}} */
    static String name(Enum<?> constant) {
        return constant == null ? NONE : constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@return how the axes are written, in the order of the components} */
    List<String> axes() {
        return List.of(name(strategy), demultiplexer, threads == 0 ? NONE : Integer.toString(threads),
                name(pool.layout()), name(pool.kind()), name(pool.order()), name(pool.promotion()));
    }

    /** {@return the words that {@link #parse} parses to the same setup} */
    List<String> words() {
        return List.of(name(strategy), demultiplexer, Integer.toString(threads), name(pool.layout()),
                Integer.toString(pool.handleSets()), name(pool.kind()), name(pool.order()), name(pool.promotion()));
    }

    static Setup parse(List<String> words) {
        PoolDesign pool = new PoolDesign(constant(PoolLayout.class, words.get(3)), Integer.parseInt(words.get(4)),
                constant(HandleSetKind.class, words.get(5)), constant(PromotionOrder.class, words.get(6)),
                constant(Promotion.class, words.get(7)));
        return new Setup(constant(ConcurrencyStrategy.class, words.get(0)), words.get(1),
                Integer.parseInt(words.get(2)), pool);
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String name) {
        return name.equals(NONE) ? null : Enum.valueOf(type, name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** {@return for example {@code leader-followers on epoll (4 threads, one-handle-set, iterative, fifo, ...)}} */
    @Override
    public String toString() {
        String count = threads == 0 ? null : threads == 1 ? "1 thread" : threads + " threads";
        String details = Stream.concat(Stream.of(count), Stream.of(pool.layout(), pool.kind(), pool.order(),
                pool.promotion()).filter(Objects::nonNull).map(Setup::name)).filter(Objects::nonNull)
                .collect(Collectors.joining(", "));
        return strategy + " on " + demultiplexer + (details.isEmpty() ? "" : " (" + details + ")");
    }
}
