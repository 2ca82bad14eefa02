package dev.sluice.samples.compare;

import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.samples.conversation.ConcurrencyStrategy;
import dev.sluice.samples.conversation.HandleSetKind;
import dev.sluice.samples.conversation.PoolDesign;
import dev.sluice.samples.conversation.PoolLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The setups to compare: a list for each axis, of which all possible combinations are taken. */
final class SetupOptions {

    private static final String STRATEGIES = "--concurrency";
    private static final String DEMULTIPLEXERS = "--demultiplexers";
    private static final String LAYOUTS = "--layouts";
    private static final String KINDS = "--kinds";
    private static final String ORDERS = "--orders";
    private static final String PROMOTIONS = "--promotions";

    /** Minimum number of handle sets of a layout with several. */
    private static final int MIN_SETS = 2;
    private static final int MAX_THREADS = 1000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = STRATEGIES, paramLabel = "STRATEGY", split = ",",
            description = "Strategies to compare: ${COMPLETION-CANDIDATES} (default: all).")
    private List<ConcurrencyStrategy> strategies = List.of();

    @Option(names = DEMULTIPLEXERS, paramLabel = "NAME", split = ",",
            description = "Demultiplexers to compare, as listed by 'sluice doctor' (default: for each strategy the "
                    + "best one, and the best concurrent one if the strategy can use it).")
    private List<String> demultiplexers = List.of();

    @Option(names = "--threads", paramLabel = "N", defaultValue = "4",
            description = "Number of threads of a server, where it can be chosen; reactor-per-thread is also measured "
                    + "with one "
                    + "(default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = LAYOUTS, paramLabel = "LAYOUT", split = ",",
            description = "Which threads of Leader/Followers wait on which handle set: one-handle-set, "
                    + "pool-per-handle-set, multiple-leaders (each handle set has a leader, and all threads take "
                    + "turns leading).")
    private List<PoolLayout> layouts = List.of();

    @Option(names = "--handle-sets", paramLabel = "N", defaultValue = "2",
            description = "Number of handle sets of a layout with several; each needs a thread (default: "
                    + "${DEFAULT-VALUE}).")
    private int handleSets;

    @Option(names = KINDS, paramLabel = "KIND", split = ",",
            description = "How Leader/Followers uses a handle set: iterative (one thread waits, the leader), or "
                    + "concurrent (all threads wait, if the mechanism supports it; there is no order and no promotion "
                    + "then).")
    private List<HandleSetKind> kinds = List.of();

    @Option(names = ORDERS, paramLabel = "ORDER", split = ",",
            description = "Which follower is promoted: lifo, fifo, priority (each thread has its own, in the "
                    + "operating system as well), implementation-defined.")
    private List<PromotionOrder> orders = List.of();

    @Option(names = PROMOTIONS, paramLabel = "WHEN", split = ",",
            description = "What promotes a follower: before-dispatch (the pool, for each event), by-handler (the "
                    + "handler, for a request that takes long; otherwise its thread stays the leader). A setup differs "
                    + "from a pool's defaults in at most one of the last four options that are not given.")
    private List<Promotion> promotions = List.of();

    /**
     * {@return the setups, at least one}
     *
     * @param workloads each is served by one of them at least
     */
    List<Setup> chosen(List<Workload> workloads) {
        requireRange("--threads", threads, 1);
        requireRange("--handle-sets", handleSets, MIN_SETS);
        List<Setup> available = Setup.available(threads, handleSets);
        requireKnown(STRATEGIES, strategies, available, Setup::strategy);
        requireKnown(DEMULTIPLEXERS, demultiplexers, available, Setup::demultiplexer);
        List<Setup> chosen = new ArrayList<>(available);
        chosen.removeIf(isOther(strategies, Setup::strategy).or(isOther(layouts, setup -> setup.pool().layout()))
                .or(isOther(kinds, setup -> setup.pool().kind())).or(isOther(orders, setup -> setup.pool().order()))
                .or(isOther(promotions, setup -> setup.pool().promotion())).or(isUnusual(available)));
        if (demultiplexers.isEmpty()) {
            keepTheBest(chosen);
        } else {
            chosen.removeIf(isOther(demultiplexers, Setup::demultiplexer));
        }
        chosen.removeIf(setup -> workloads.stream().noneMatch(setup::serves));
        requireAllUsed(chosen);
        return chosen;
    }

    // The narrow axes first, for a clearer message.
    private void requireAllUsed(List<Setup> chosen) {
        requireUsed(ORDERS, orders, chosen, setup -> setup.pool().order());
        requireUsed(PROMOTIONS, promotions, chosen, setup -> setup.pool().promotion());
        requireUsed(KINDS, kinds, chosen, setup -> setup.pool().kind());
        requireUsed(LAYOUTS, layouts, chosen, setup -> setup.pool().layout());
        if (chosen.stream().noneMatch(setup -> setup.strategy() == ConcurrencyStrategy.THREAD_POOL)
                && strategies.contains(ConcurrencyStrategy.THREAD_POOL)) {
            throw bad("--concurrency thread-pool: each of the --threads " + threads + " serves one connection to its "
                    + "end, and all numbers in --connections are larger");
        }
        requireUsed(STRATEGIES, strategies, chosen, Setup::strategy);
        requireUsed(DEMULTIPLEXERS, demultiplexers, chosen, Setup::demultiplexer);
        if (handleSets > threads && chosen.stream().anyMatch(setup -> setup.pool().handleSets() > 1)) {
            throw bad("--handle-sets " + handleSets + " are too many for --threads " + threads
                    + ": each needs a thread");
        }
    }

    /** A setup that does not have the axis at all is no other. */
    private static <T> Predicate<Setup> isOther(List<T> asked, Function<Setup, T> axis) {
        return setup -> axis.apply(setup) != null && !asked.isEmpty() && !asked.contains(axis.apply(setup));
    }

    /**
     * {@return whether a pool differs from the default one in more than one axis that the command line does not name}
     */
    private Predicate<Setup> isUnusual(List<Setup> available) {
        Set<String> concurrent = available.stream().filter(Setup::isConcurrent).map(Setup::demultiplexer)
                .collect(Collectors.toSet());
        return setup -> {
            PoolDesign pool = setup.pool();
            HandleSetKind own = concurrent.contains(setup.demultiplexer()) ? HandleSetKind.CONCURRENT
                    : HandleSetKind.ITERATIVE;
            return unusual(layouts, pool.layout(), PoolDesign.USUAL.layout()) + unusual(kinds, pool.kind(), own)
                    + unusual(orders, pool.order(), PoolDesign.USUAL.order())
                    + unusual(promotions, pool.promotion(), PoolDesign.USUAL.promotion()) > 1
                    // The paper makes no claim about it.
                    || orders.isEmpty() && pool.order() == PromotionOrder.PRIORITY;
        };
    }

    private static <T> int unusual(List<T> asked, T value, T usual) {
        return asked.isEmpty() && value != null && value != usual ? 1 : 0;
    }

    private static void keepTheBest(List<Setup> setups) {
        /** Setups with the same role are interchangeable. */
        record Role(ConcurrencyStrategy strategy, PoolLayout layout, boolean concurrent) {
        }
        /** A mechanism that fills a role is kept with all its variants. */
        record Place(ConcurrencyStrategy strategy, PoolLayout layout, String demultiplexer) {
        }
        Set<Place> kept = new HashSet<>();
        Set<Role> filled = new HashSet<>();
        for (Setup setup : setups) {
            if (filled.add(new Role(setup.strategy(), setup.pool().layout(), setup.isConcurrent()))) {
                kept.add(new Place(setup.strategy(), setup.pool().layout(), setup.demultiplexer()));
            }
        }
        setups.removeIf(setup ->
                !kept.contains(new Place(setup.strategy(), setup.pool().layout(), setup.demultiplexer())));
    }

    private <T> void requireKnown(String option, List<T> asked, List<Setup> available, Function<Setup, T> axis) {
        List<T> known = available.stream().map(axis).distinct().toList();
        asked.stream().filter(value -> !known.contains(value)).findFirst().ifPresent(value -> {
            throw bad(option + ": '" + value + "' is not usable here; usable are "
                    + String.join(", ", known.stream().map(Object::toString).toList()));
        });
    }

    private <T> void requireUsed(String option, List<T> asked, List<Setup> chosen, Function<Setup, T> axis) {
        List<T> used = chosen.stream().map(axis).filter(Objects::nonNull).distinct().toList();
        asked.stream().filter(value -> !used.contains(value)).findFirst().ifPresent(value -> {
            throw bad(option + ": '" + (value instanceof Enum<?> constant ? Setup.name(constant) : value)
                    + "' cannot be combined with the other options");
        });
    }

    private void requireRange(String option, int value, int minimum) {
        if (value < minimum || value > MAX_THREADS) {
            throw bad(option + " must be " + minimum + " to " + MAX_THREADS + ", not " + value);
        }
    }

    private ParameterException bad(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
