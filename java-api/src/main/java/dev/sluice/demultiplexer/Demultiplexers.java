package dev.sluice.demultiplexer;

import dev.sluice.calls.Availability;
import dev.sluice.demultiplexer.DemultiplexerFactory.Mode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds demultiplexers on the class path or module path, and opens the best one or the one that is asked for. */
public final class Demultiplexers {

    /** The name that stands for the best usable one. */
    public static final String AUTO = "auto";

    /** System property that names the demultiplexer to use where the program asks for {@value #AUTO}. */
    public static final String PROPERTY = "sluice.demultiplexer";

    private static final Logger LOG = LoggerFactory.getLogger(Demultiplexers.class);

    private Demultiplexers() {
    }

    /** {@return every known demultiplexer, best first, usable on this machine or not} */
    public static List<DemultiplexerFactory> available() {
        List<DemultiplexerFactory> known = new ArrayList<>();
        for (DemultiplexerProvider provider : ServiceLoader.load(DemultiplexerProvider.class,
                Demultiplexers.class.getClassLoader())) {
            known.addAll(provider.factories());
        }
        known.sort(Comparator.comparingInt(DemultiplexerFactory::priority).reversed());
        return known;
    }

    /**
     * Opens the best synchronous demultiplexer, or the one that {@value #PROPERTY} names.
     *
     * @return the demultiplexer; the caller closes it
     * @throws IllegalArgumentException if the property names none, or one that is not usable here
     * @throws IOException              if the system refuses
     */
    public static SynchronousEventDemultiplexer openSynchronous() throws IOException {
        return openSynchronous(AUTO);
    }

    /**
     * Opens a synchronous demultiplexer.
     *
     * @param name one of those listed by {@link #available()}, or {@value #AUTO}
     * @return the demultiplexer; the caller closes it
     * @throws IllegalArgumentException if there is none of this name, or it is not usable here; the message lists the
     *                                  right ones
     * @throws IOException              if the system refuses
     */
    public static SynchronousEventDemultiplexer openSynchronous(String name) throws IOException {
        return choose(name, Mode.SYNCHRONOUS).openSynchronous();
    }

    /**
     * Opens an asynchronous demultiplexer.
     *
     * @param name one of those listed by {@link #available()}, or {@value #AUTO}
     * @return the demultiplexer; the caller closes it
     * @throws IllegalArgumentException if there is none of this name, or it is not usable here; the message lists the
     *                                  right ones
     * @throws IOException              if the system refuses
     */
    public static AsynchronousEventDemultiplexer openAsynchronous(String name) throws IOException {
        return choose(name, Mode.ASYNCHRONOUS).openAsynchronous();
    }

    /**
     * Finds the demultiplexer that a name stands for.
     *
     * @param name one of those listed by {@link #available()}, or {@value #AUTO}
     * @param mode what it has to report
     * @return its factory
     * @throws IllegalArgumentException if there is none of this name, or it is not usable here; the message lists the
     *                                  right ones
     */
    public static DemultiplexerFactory choose(String name, Mode mode) {
        String wanted = name.equals(AUTO) ? System.getProperty(PROPERTY, AUTO) : name;
        List<DemultiplexerFactory> candidates = available().stream().filter(f -> f.mode() == mode).toList();
        String why = "there is none of this name";
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
                why = wanted.equals(AUTO) ? "none is usable here" : availability.reason();
                if (factory.isAtHome()) {
                    passedOver.add(factory.name() + ": " + availability.reason());
                }
            }
        }
        String usable = candidates.stream()
                .filter(f -> f.availability().usable())
                .map(DemultiplexerFactory::name)
                .collect(Collectors.joining(", "));
        throw new IllegalArgumentException("demultiplexer '" + wanted + "': " + why + "; usable here: "
                + (usable.isEmpty() ? "none (is sluice-demultiplexers on the path?)" : AUTO + ", " + usable));
    }
}
