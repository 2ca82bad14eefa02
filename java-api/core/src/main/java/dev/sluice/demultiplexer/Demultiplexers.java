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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds demultiplexers on the class path or module path, and chooses the best one or the one that is asked for. */
public final class Demultiplexers {

    /** The name that stands for the best usable one. */
    public static final String AUTO = "auto";

    /**
     * System property that names the demultiplexer to use where the program asks for {@value #AUTO}. It applies to each
     * mode that has a demultiplexer of this name; the other mode keeps using its best one.
     */
    public static final String PROPERTY = "sluice.demultiplexer";

    /** The same for synchronous demultiplexers only, for which it takes precedence. */
    public static final String SYNCHRONOUS_PROPERTY = PROPERTY + ".synchronous";

    /** The same for asynchronous demultiplexers only, for which it takes precedence. */
    public static final String ASYNCHRONOUS_PROPERTY = PROPERTY + ".asynchronous";

    private static final Logger LOG = LoggerFactory.getLogger(Demultiplexers.class);

    private static final Set<Mode> TOLD_THAT_THE_PROPERTY_IS_NOT_MEANT = ConcurrentHashMap.newKeySet();

    /** Found once: looking again takes descriptors, which may be just what the program lacks. */
    private static volatile List<DemultiplexerFactory> found;

    private Demultiplexers() {
    }

    /** {@return every known demultiplexer, best first, usable on this machine or not} */
    public static List<Mechanism> available() {
        return List.copyOf(factories());
    }

    private static List<DemultiplexerFactory> factories() {
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

    /**
     * Finds the demultiplexer that a name stands for.
     *
     * @param name one of those listed by {@link #available()}, or {@value #AUTO}
     * @param mode what it has to report
     * @return the mechanism
     * @throws IllegalArgumentException if there is none of this name, or it is not usable here; the message lists the
     *                                  right ones
     * @throws IllegalStateException    if no native binding is usable
     */
    public static Mechanism choose(String name, Mode mode) {
        return choose(name, mode, DemultiplexerFactory::priority);
    }

    /**
     * Finds the synchronous demultiplexer that a name stands for where threads take turns waiting, as in a
     * Leader/Followers pool. There {@value #AUTO} is one that reports a ready handle to one thread and then falls
     * silent, if the system has such a one: the handle need not be taken out of the set while it is served.
     *
     * @param name one of those listed by {@link #available()}, or {@value #AUTO}
     * @return the mechanism
     * @throws IllegalArgumentException if there is none of this name, or it is not usable here; the message lists the
     *                                  right ones
     * @throws IllegalStateException    if no native binding is usable
     */
    public static Mechanism chooseForTurns(String name) {
        return choose(name, Mode.SYNCHRONOUS, DemultiplexerFactory::priorityInTurns);
    }

    private static Mechanism choose(String name, Mode mode, ToIntFunction<DemultiplexerFactory> priority) {
        // Without a binding none is usable, and that is what the caller must be told.
        Bindings.current();
        List<DemultiplexerFactory> known = factories();
        Optional<String> property = name.equals(AUTO) ? forcedBy(known, mode) : Optional.empty();
        String wanted = property.map(System::getProperty).orElse(name);
        List<DemultiplexerFactory> candidates = known.stream().filter(f -> f.mode() == mode)
                .sorted(Comparator.comparingInt(priority).reversed()).toList();
        String why = has(known, other(mode), wanted)
                ? "it is " + use(other(mode)) + ", and there is none of this name " + use(mode)
                : "there is none of this name";
        StringJoiner passedOver = new StringJoiner("; ").setEmptyValue("");
        for (DemultiplexerFactory factory : candidates) {
            if (wanted.equals(AUTO) || wanted.equals(factory.name())) {
                Availability availability = factory.availability();
                if (availability.usable()) {
                    if (passedOver.length() > 0) {
                        LOG.info("{} is used, since there is no {}", factory.name(), passedOver);
                    }
                    return factory;
                }
                if (factory.isAtHome()) {
                    passedOver.add(factory.name() + ": " + availability.reason());
                }
                why = wanted.equals(AUTO) ? "none is usable here (" + passedOver + ")" : availability.reason();
            }
        }
        String usable = candidates.stream()
                .filter(f -> f.availability().usable())
                .map(DemultiplexerFactory::name)
                .collect(Collectors.joining(", "));
        throw new IllegalArgumentException("demultiplexer '" + wanted + "'" + property.map(p -> " of -D" + p).orElse("")
                + ": " + (known.isEmpty() ? "none is known: is sluice-demultiplexers on the path?" : why)
                + "; usable here " + use(mode) + ": " + (usable.isEmpty() ? "none" : AUTO + ", " + usable));
    }

    /**
     * Tells which system property decides what {@value #AUTO} stands for.
     *
     * @param mode what the demultiplexer has to report
     * @return the property's name; empty if the best usable one is taken
     */
    public static Optional<String> forcedBy(Mode mode) {
        return forcedBy(factories(), mode);
    }

    private static Optional<String> forcedBy(List<DemultiplexerFactory> known, Mode mode) {
        String ofMode = mode == Mode.SYNCHRONOUS ? SYNCHRONOUS_PROPERTY : ASYNCHRONOUS_PROPERTY;
        String wanted = System.getProperty(ofMode, "");
        if (!wanted.isEmpty()) {
            return wanted.equals(AUTO) ? Optional.empty() : Optional.of(ofMode);
        }
        String wantedOfBoth = System.getProperty(PROPERTY, "");
        if (wantedOfBoth.isEmpty() || wantedOfBoth.equals(AUTO)) {
            return Optional.empty();
        }
        if (!has(known, mode, wantedOfBoth) && has(known, other(mode), wantedOfBoth)) {
            if (TOLD_THAT_THE_PROPERTY_IS_NOT_MEANT.add(mode)) {
                LOG.info("-D{}={} is {}: the best one is used {}, unless -D{} names one", PROPERTY, wantedOfBoth,
                        use(other(mode)), use(mode), ofMode);
            }
            return Optional.empty();
        }
        return Optional.of(PROPERTY);
    }

    private static boolean has(List<DemultiplexerFactory> known, Mode mode, String name) {
        return known.stream().anyMatch(factory -> factory.mode() == mode && factory.name().equals(name));
    }

    private static Mode other(Mode mode) {
        return mode == Mode.SYNCHRONOUS ? Mode.ASYNCHRONOUS : Mode.SYNCHRONOUS;
    }

    private static String use(Mode mode) {
        return mode == Mode.SYNCHRONOUS ? "for a Reactor (readiness)" : "for a Proactor (completion)";
    }
}
