package dev.sluice.samples.compare;

import dev.sluice.demultiplexer.DemultiplexerFactory;
import dev.sluice.demultiplexer.Demultiplexers;
import dev.sluice.demultiplexer.HandleSetKind;
import dev.sluice.leaderfollowers.Promotion;
import dev.sluice.leaderfollowers.PromotionOrder;
import dev.sluice.samples.concurrency.ConcurrencyModel;
import dev.sluice.samples.concurrency.PoolDesign;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A threading model on a mechanism, and how its pool goes about it if it is one of Leader/Followers. */
record Setup(ConcurrencyModel model, String demultiplexer, PoolDesign pool) {

    /** What is written for an axis that a model does not have. */
    static final String NONE = "-";

    /** {@return all that can be had here, per model the best mechanism first} */
    static List<Setup> available() {
        List<Setup> setups = new ArrayList<>();
        for (ConcurrencyModel model : ConcurrencyModel.values()) {
            if (model.isAvailable()) {
                Demultiplexers.available().stream()
                        .filter(factory -> model.worksOn(factory) && factory.availability().usable())
                        // The others would be measured to no purpose: here the handle set does nothing but accept.
                        .limit(model == ConcurrencyModel.THREAD_PER_CONNECTION ? 1 : Long.MAX_VALUE)
                        .forEach(factory -> addAll(setups, model, factory));
            }
        }
        return setups;
    }

    private static void addAll(List<Setup> setups, ConcurrencyModel model, DemultiplexerFactory factory) {
        model.pools(factory).forEach(pool -> setups.add(new Setup(model, factory.name(), pool)));
    }

    /** {@return whether all threads wait at once} */
    boolean isConcurrent() {
        return pool.kind() == HandleSetKind.CONCURRENT;
    }

    /** {@return the constant as it is written on the command line and in the table, such as {@code before-dispatch}} */
    static String name(Enum<?> constant) {
        return constant == null ? NONE : constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@return what {@link #parse} makes the same setup of} */
    List<String> words() {
        return List.of(name(model), demultiplexer, name(pool.kind()), name(pool.order()), name(pool.promotion()));
    }

    static Setup parse(List<String> words) {
        return new Setup(constant(ConcurrencyModel.class, words.get(0)), words.get(1),
                new PoolDesign(constant(HandleSetKind.class, words.get(2)),
                        constant(PromotionOrder.class, words.get(3)), constant(Promotion.class, words.get(4))));
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String name) {
        return name.equals(NONE) ? null : Enum.valueOf(type, name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** {@return for example {@code leader-followers on epoll (iterative, lifo, before-dispatch)}} */
    @Override
    public String toString() {
        String details = Stream.of(pool.kind(), pool.order(), pool.promotion()).filter(Objects::nonNull)
                .map(Setup::name).collect(Collectors.joining(", "));
        return model + " on " + demultiplexer + (details.isEmpty() ? "" : " (" + details + ")");
    }
}
