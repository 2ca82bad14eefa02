package dev.sluice.calls;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the bindings on the class path or module path and holds the one in use.
 *
 * <p>The best usable binding is chosen at first use; {@code -Dsluice.native=jna} forces one. All methods may be called
 * from any thread.
 */
public final class Bindings {

    /** System property that names the binding to use instead of the best one. */
    public static final String PROPERTY = "sluice.native";

    private static final Logger LOG = LoggerFactory.getLogger(Bindings.class);

    private static volatile @Nullable Binding current;

    private Bindings() {
    }

    /**
     * {@return the binding in use, choosing it at the first call}
     *
     * @throws IllegalStateException if none is usable, or the one named by {@value #PROPERTY} is not; the message lists
     *                               the bindings found, and why each cannot be used
     */
    public static Binding current() {
        Binding binding = current;
        return binding != null ? binding : choose();
    }

    /**
     * {@return whether a binding is usable, choosing it at the first call; if not, the bindings found, and why each
     * cannot be used}
     */
    public static Availability availability() {
        try {
            current();
            return Availability.USABLE;
        } catch (IllegalStateException e) {
            return Availability.missing(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Makes the process use the given binding from now on. For tests that decorate a binding. Handles that are open
     * keep the binding with which they were opened.
     *
     * @param binding the binding to use
     * @return the previous binding
     */
    public static Binding use(Binding binding) {
        Binding previous = current();
        current = Objects.requireNonNull(binding, "binding");
        return previous;
    }

    /** {@return all bindings found, best first, usable or not} */
    public static List<BindingProvider> providers() {
        return providers(new ArrayList<>());
    }

    private static List<BindingProvider> providers(List<Throwable> failures) {
        List<BindingProvider> found = new ArrayList<>();
        Iterator<BindingProvider> providers = ServiceLoader.load(BindingProvider.class,
                Bindings.class.getClassLoader()).iterator();
        while (advance(providers, found, failures)) {
            LOG.trace("found {}", found);
        }
        found.sort(Comparator.comparingInt(BindingProvider::priority).reversed());
        return found;
    }

    // A provider that is compiled for a newer Java throws a LinkageError. It is skipped.
    private static boolean advance(Iterator<BindingProvider> providers, List<BindingProvider> found,
            List<Throwable> failures) {
        try {
            if (!providers.hasNext()) {
                return false;
            }
            found.add(providers.next());
        } catch (LinkageError | ServiceConfigurationError e) {
            failures.add(e);
            LOG.debug("a native binding does not load on Java {}", Runtime.version().feature(), e);
        }
        return true;
    }

    // A provider may not handle the absence of classes that it needs.
    private static Availability availability(BindingProvider provider) {
        try {
            return provider.availability();
        } catch (LinkageError e) {
            LOG.debug("the native binding {} does not load", provider.name(), e);
            return Availability.missing("does not load: " + e);
        }
    }

    /**
     * Chooses the binding of the process by its name, which takes precedence over {@value #PROPERTY}.
     *
     * @param name the name
     * @return the binding in use
     * @throws IllegalStateException if another binding is in use already, or this one is not usable; the message lists
     *                               the bindings found, and why each cannot be used
     */
    public static Binding require(String name) {
        Binding binding = current;
        if (binding == null) {
            binding = choose(Objects.requireNonNull(name, "name"), "");
        }
        if (!binding.name().equals(name)) {
            throw new IllegalStateException("binding " + name + ": a process has one binding, and uses " + binding
                    + " already; name it before the first handle or loop is opened, or by -D" + PROPERTY + "=" + name);
        }
        return binding;
    }

    private static Binding choose() {
        return choose(System.getProperty(PROPERTY, ""), " of -D" + PROPERTY);
    }

    private static synchronized Binding choose(String wanted, String by) {
        if (current == null) {
            List<Throwable> failures = new ArrayList<>();
            List<BindingProvider> providers = providers(failures);
            StringJoiner found = new StringJoiner(", ").setEmptyValue("none found: add sluice-native-ffm or "
                    + "sluice-native-jna");
            for (BindingProvider provider : providers) {
                Availability availability = availability(provider);
                boolean isWanted = wanted.isEmpty() || wanted.equals(provider.name());
                if (isWanted && availability.usable()) {
                    try {
                        current = provider.load();
                        return current;
                    } catch (LinkageError | RuntimeException e) {
                        LOG.warn("the native binding {} does not load", provider.name(), e);
                        availability = Availability.missing("does not load: " + e);
                    }
                }
                found.add(provider.name() + " (" + (availability.usable() ? "usable" : availability.reason()) + ")");
            }
            failures.forEach(failure -> found.add("one does not load: " + failure));
            throw new IllegalStateException(wanted.isEmpty()
                    ? "no native binding is usable: " + found
                    : "native binding '" + wanted + "'" + by + " is not usable; bindings: " + found);
        }
        return current;
    }
}
