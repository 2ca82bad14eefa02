package dev.sluice.samples.configurator;

import dev.sluice.samples.server.UnusableOptionException;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The services of one configuration. For the thread that configures, except that any may look at {@link #all()}. */
public final class ConfiguredServices implements Closeable {

    private static final String OPTION = "--service";

    private final Map<String, ConfiguredService> services = new LinkedHashMap<>();

    private ConfiguredServices() {
    }

    /** {@return none} */
    public static ConfiguredServices none() {
        return new ConfiguredServices();
    }

    /**
     * Opens services. One that was there with the same options goes on, and all others begin.
     *
     * @param directives say which, each of another name
     * @param before     the services of the configuration before, which keeps them
     * @param longest    the maximum duration of a hook
     * @return the services, which the caller closes
     * @throws UnusableOptionException if one is not there, or fails in {@link ServiceObject#init}; those that have
     *                                 begun have ended again then
     */
    public static ConfiguredServices open(List<ServiceDirective> directives, ConfiguredServices before,
            Duration longest) throws UnusableOptionException {
        ConfiguredServices next = new ConfiguredServices();
        try {
            for (ServiceDirective each : directives) {
                ConfiguredService same = before.services.get(each.name());
                boolean stays = same != null && same.directive().equals(each);
                next.services.put(each.name(), stays ? same.retain() : begin(each, longest));
            }
            return next;
        } catch (Throwable e) {
            next.close();
            throw e;
        }
    }

    private static ConfiguredService begin(ServiceDirective directive, Duration longest)
            throws UnusableOptionException {
        String name = directive.name();
        Map<String, ServiceObject> found = Providers.of(ServiceObject.class, ServiceObject::name);
        ServiceObject object = found.get(name);
        if (object == null) {
            throw new UnusableOptionException(OPTION + " " + name, "is not available: there is "
                    + (found.isEmpty() ? "none" : String.join(", ", new TreeSet<>(found.keySet()))), null);
        }
        try {
            return ConfiguredService.begin(directive, object, longest);
        } catch (Exception | Error e) {
            throw new UnusableOptionException(OPTION + " " + name, "cannot begin: " + ServiceHooks.problem(e), e);
        }
    }

    /** {@return the services, in their order} */
    public List<ConfiguredService> all() {
        return List.copyOf(services.values());
    }

    /**
     * Suspends those that are to be suspended, and resumes all others. Those that fail are logged.
     *
     * @param suspended their names
     */
    public void suspend(Set<String> suspended) {
        for (ConfiguredService each : services.values()) {
            if (each.isSuspended() != suspended.contains(each.name())) {
                each.suspend(suspended.contains(each.name()));
            }
        }
    }

    /**
     * Suspends a service, or resumes it.
     *
     * @param name   the service's
     * @param wanted whether to suspend it
     * @return what has come of it, in a line
     */
    public String suspend(String name, boolean wanted) {
        ConfiguredService service = services.get(name);
        return service == null ? "error: there is no service '" + name + "'" : service.suspend(wanted);
    }

    /** {@return a line for each} */
    public List<String> info() {
        return services.values().stream().map(ConfiguredService::info).toList();
    }

    /** Those end that no other configuration has, the last one first. */
    @Override
    public void close() {
        List<ConfiguredService> all = new ArrayList<>(services.values());
        for (int i = all.size() - 1; i >= 0; i--) {
            all.get(i).release();
        }
    }
}
