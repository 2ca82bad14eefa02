package dev.sluice.samples.compare;

import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.samples.concurrency.ConcurrencyModel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which setups are compared: a list for each axis, of which those combinations are taken that there can be. */
final class SetupOptions {

    private static final String MODELS = "--models";
    private static final String DEMULTIPLEXERS = "--demultiplexers";
    private static final String KINDS = "--kinds";
    private static final String ORDERS = "--orders";
    private static final String PROMOTIONS = "--promotions";

    /** The two that differ most: one hands the leadership to a thread, the other lets threads race for it. */
    private static final List<PromotionOrder> USUAL_ORDERS =
            List.of(PromotionOrder.LIFO, PromotionOrder.IMPLEMENTATION_DEFINED);
    private static final List<Promotion> USUAL_PROMOTIONS = List.of(Promotion.BEFORE_DISPATCH);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = MODELS, paramLabel = "NAME", split = ",",
            description = "Only these: ${COMPLETION-CANDIDATES} (default: all).")
    private List<ConcurrencyModel> models = List.of();

    @Option(names = DEMULTIPLEXERS, paramLabel = "NAME", split = ",",
            description = "Those of 'sluice doctor' (default: for each model the best one, and the best one that many "
                    + "threads can wait on if the model lets them).")
    private List<String> demultiplexers = List.of();

    @Option(names = KINDS, paramLabel = "KIND", split = ",",
            description = "What Leader/Followers uses a handle set as: iterative (one thread waits, the leader), "
                    + "concurrent (all threads wait at once, where the mechanism lets them; then there is no order "
                    + "and no promotion) (default: both).")
    private List<HandleSetKind> kinds = List.of();

    @Option(names = ORDERS, paramLabel = "ORDER", split = ",",
            description = "Which follower is promoted: lifo, fifo, priority (each thread has one of its own), "
                    + "implementation-defined (default: lifo,implementation-defined).")
    private List<PromotionOrder> orders = List.of();

    @Option(names = PROMOTIONS, paramLabel = "WHEN", split = ",",
            description = "Who promotes a follower: before-dispatch (the pool does, for each event), by-handler (it "
                    + "does for a request that takes long, and otherwise goes on as leader) (default: "
                    + "before-dispatch).")
    private List<Promotion> promotions = List.of();

    /** {@return the setups, at least one} */
    List<Setup> chosen() {
        List<Setup> available = Setup.available();
        requireKnown(MODELS, models, available, Setup::model);
        requireKnown(DEMULTIPLEXERS, demultiplexers, available, Setup::demultiplexer);
        List<Setup> chosen = new ArrayList<>(available);
        chosen.removeIf(isOther(models, List.of(), Setup::model)
                .or(isOther(kinds, List.of(), setup -> setup.pool().kind()))
                .or(isOther(orders, USUAL_ORDERS, setup -> setup.pool().order()))
                .or(isOther(promotions, USUAL_PROMOTIONS, setup -> setup.pool().promotion())));
        if (demultiplexers.isEmpty()) {
            keepTheBest(chosen);
        } else {
            chosen.removeIf(isOther(demultiplexers, List.of(), Setup::demultiplexer));
        }
        // The narrow axes first: that a pool has none of the models is clearer than that a model has none of the pools.
        requireUsed(ORDERS, orders, chosen, setup -> setup.pool().order());
        requireUsed(PROMOTIONS, promotions, chosen, setup -> setup.pool().promotion());
        requireUsed(KINDS, kinds, chosen, setup -> setup.pool().kind());
        requireUsed(MODELS, models, chosen, Setup::model);
        requireUsed(DEMULTIPLEXERS, demultiplexers, chosen, Setup::demultiplexer);
        return chosen;
    }

    /** A setup that does not have the axis at all is no other. */
    private static <T> Predicate<Setup> isOther(List<T> asked, List<T> usual, Function<Setup, T> axis) {
        List<T> wanted = asked.isEmpty() ? usual : asked;
        return setup -> axis.apply(setup) != null && !wanted.isEmpty() && !wanted.contains(axis.apply(setup));
    }

    private static void keepTheBest(List<Setup> setups) {
        /** Setups that differ in nothing else are as good as each other. */
        record Role(ConcurrencyModel model, boolean concurrent) {
        }
        Set<String> kept = new HashSet<>();
        Set<Role> filled = new HashSet<>();
        for (Setup setup : setups) {
            if (filled.add(new Role(setup.model(), setup.isConcurrent()))) {
                kept.add(setup.model() + setup.demultiplexer());
            }
        }
        setups.removeIf(setup -> !kept.contains(setup.model() + setup.demultiplexer()));
    }

    private <T> void requireKnown(String option, List<T> asked, List<Setup> available, Function<Setup, T> axis) {
        List<T> known = available.stream().map(axis).distinct().toList();
        asked.stream().filter(value -> !known.contains(value)).findFirst().ifPresent(value -> {
            throw bad(option + ": '" + value + "' is not usable here; there is "
                    + String.join(", ", known.stream().map(Object::toString).toList()));
        });
    }

    private <T> void requireUsed(String option, List<T> asked, List<Setup> chosen, Function<Setup, T> axis) {
        List<T> used = chosen.stream().map(axis).filter(Objects::nonNull).distinct().toList();
        asked.stream().filter(value -> !used.contains(value)).findFirst().ifPresent(value -> {
            throw bad(option + ": '" + (value instanceof Enum<?> constant ? Setup.name(constant) : value)
                    + "' goes with none of what the other options choose");
        });
    }

    private ParameterException bad(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
