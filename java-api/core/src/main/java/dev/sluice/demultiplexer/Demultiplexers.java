package dev.sluice.demultiplexer;

import dev.sluice.calls.Bindings;
import dev.sluice.demultiplexer.Mechanism.Availability;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.spi.DemultiplexerFactory;
import dev.sluice.demultiplexer.spi.DemultiplexerProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds demultiplexers on the class path or module path, and chooses among them for {@link Mechanism}. */
final class Demultiplexers {

    private static final Logger LOG = LoggerFactory.getLogger(Demultiplexers.class);

    private static final Set<Mode> IGNORED_PROPERTY_LOGGED = ConcurrentHashMap.newKeySet();

    /**
     * The factories; null until they are searched for. The search needs descriptors, so it is not repeated when the
     * program may have none left.
     */
    private static volatile @Nullable List<DemultiplexerFactory> found;

    private Demultiplexers() {
    }

    static List<DemultiplexerFactory> factories() {
        List<DemultiplexerFactory> known = found;
        if (known == null) {
            known = find();
            found = known;
        }
        return known;
    }

    private static List<DemultiplexerFactory> find() {
        List<DemultiplexerFactory> known = new ArrayList<>();
        for (DemultiplexerProvider provider : ServiceLoader.load(DemultiplexerProvider.class,
                Demultiplexers.class.getClassLoader())) {
            known.addAll(provider.factories());
        }
        known.sort(Comparator.comparingInt(DemultiplexerFactory::priority).reversed());
        return List.copyOf(known);
    }

    static Mechanism choose(String name, Mode mode) {
        return choose(name, mode, DemultiplexerFactory::priority);
    }

    static Mechanism chooseForLeaderFollowers(String name) {
        return choose(name, Mode.SYNCHRONOUS, DemultiplexerFactory::leaderFollowersPriority);
    }

    private static Mechanism choose(String name, Mode mode, ToIntFunction<DemultiplexerFactory> priority) {
        // Throws if no native binding is usable, with a message that says so. Without this, each demultiplexer would be
        // reported as unusable.
        Bindings.current();
        List<DemultiplexerFactory> known = factories();
        Optional<String> property = name.equals(Mechanism.AUTO) ? forcedBy(mode) : Optional.empty();
        String wanted = property.map(System::getProperty).orElse(name);
        List<DemultiplexerFactory> candidates = known.stream().filter(f -> f.mode() == mode)
                .sorted(Comparator.comparingInt(priority).reversed()).toList();
        String why = has(other(mode), wanted)
                ? "it is " + use(other(mode)) + ", and there is none of this name " + use(mode)
                : "there is none of this name";
        StringJoiner unavailable = new StringJoiner("; ").setEmptyValue("");
        for (DemultiplexerFactory factory : candidates) {
            if (wanted.equals(Mechanism.AUTO) || wanted.equals(factory.name())) {
                Availability availability = factory.availability();
                if (availability.usable()) {
                    if (unavailable.length() > 0) {
                        LOG.info("Using {}; not available: {}", factory.name(), unavailable);
                    }
                    return factory;
                }
                if (factory.isForThisSystem()) {
                    unavailable.add(factory.name() + ": " + availability.reason());
                }
                why = wanted.equals(Mechanism.AUTO) ? "none is usable here (" + unavailable + ")"
                        : availability.reason();
            }
        }
        String usable = candidates.stream()
                .filter(f -> f.availability().usable())
                .map(DemultiplexerFactory::name)
                .collect(Collectors.joining(", "));
        throw new IllegalArgumentException("demultiplexer '" + wanted + "'" + property.map(p -> " of -D" + p).orElse("")
                + ": " + (known.isEmpty() ? "none is known: is sluice-demultiplexers on the path?" : why)
                + "; usable here " + use(mode) + ": " + (usable.isEmpty() ? "none" : Mechanism.AUTO + ", " + usable));
    }

    static Optional<String> forcedBy(Mode mode) {
        String ofMode = mode == Mode.SYNCHRONOUS ? Mechanism.SYNCHRONOUS_PROPERTY : Mechanism.ASYNCHRONOUS_PROPERTY;
        String wanted = System.getProperty(ofMode, "");
        if (!wanted.isEmpty()) {
            return wanted.equals(Mechanism.AUTO) ? Optional.empty() : Optional.of(ofMode);
        }
        String wantedOfBoth = System.getProperty(Mechanism.PROPERTY, "");
        if (wantedOfBoth.isEmpty() || wantedOfBoth.equals(Mechanism.AUTO)) {
            return Optional.empty();
        }
        if (!has(mode, wantedOfBoth) && has(other(mode), wantedOfBoth)) {
            if (IGNORED_PROPERTY_LOGGED.add(mode)) {
                LOG.info("-D{}={} applies only {}; using the default {}. Set -D{} to choose one", Mechanism.PROPERTY,
                        wantedOfBoth, use(other(mode)), use(mode), ofMode);
            }
            return Optional.empty();
        }
        return Optional.of(Mechanism.PROPERTY);
    }

    private static boolean has(Mode mode, String name) {
        return factories().stream().anyMatch(factory -> factory.mode() == mode && factory.name().equals(name));
    }

    private static Mode other(Mode mode) {
        return mode == Mode.SYNCHRONOUS ? Mode.ASYNCHRONOUS : Mode.SYNCHRONOUS;
    }

    private static String use(Mode mode) {
        return mode == Mode.SYNCHRONOUS ? "for a Reactor (readiness)" : "for a Proactor (completion)";
    }
}
