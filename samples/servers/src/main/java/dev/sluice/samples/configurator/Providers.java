package dev.sluice.samples.configurator;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@link ServiceLoader} finds of a kind, by the names by which a configuration chooses it. */
public final class Providers {

    private static final Logger LOG = LoggerFactory.getLogger(Providers.class);
    /** Failures in succession that end a search: a loader without memory, for example, may fail at each call. */
    private static final int MAXIMUM_FAILURES = 100;

    private Providers() {
    }

    /**
     * Searches again at each call, so each call returns objects of its own.
     *
     * @param <P>  the kind
     * @param type the kind
     * @param name of one of them
     * @return all that can be used, by their names; of two with one name, the first one
     */
    public static <P> Map<String, P> of(Class<P> type, Function<P, String> name) {
        Map<String, P> found = new LinkedHashMap<>();
        Iterator<P> all = ServiceLoader.load(type).iterator();
        boolean more = true;
        int failures = 0;
        while (more && failures < MAXIMUM_FAILURES) {
            try {
                more = all.hasNext();
                if (more) {
                    P provider = all.next();
                    String called = name.apply(provider);
                    failures = 0;
                    if (called == null) {
                        LOG.warn("not available: {} has no name", provider.getClass().getName());
                    } else {
                        found.putIfAbsent(called, provider);
                    }
                }
            } catch (RuntimeException | Error e) {
                // The others are not to blame. What has been asked for and is missing is reported by its name.
                failures++;
                LOG.warn("not available: {}", e.toString());
            }
        }
        return found;
    }
}
