package dev.sluice.samples.configurator;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A service that has begun, and the configurations that have it: with the last of them it ends. */
public final class ConfiguredService {

    private static final Logger LOG = LoggerFactory.getLogger(ConfiguredService.class);

    private final ServiceDirective directive;
    private final ServiceObject object;
    private final ServiceHooks hooks;
    /** Guarded by this. */
    private int users = 1;
    private volatile boolean suspended;

    private ConfiguredService(ServiceDirective directive, ServiceObject object, Duration longest) {
        this.directive = directive;
        this.object = object;
        this.hooks = new ServiceHooks(directive.name(), longest);
    }

    /**
     * Begins a service.
     *
     * @param directive its name and options
     * @param object    the service
     * @param longest   the maximum duration of a hook
     * @return the service, which has begun
     * @throws Exception if it cannot begin, or not in time; it ends at once if it begins later
     */
    static ConfiguredService begin(ServiceDirective directive, ServiceObject object, Duration longest)
            throws Exception {
        ConfiguredService service = new ConfiguredService(directive, object, longest);
        service.hooks.call("init", () -> {
            object.init(directive.options());
            return null;
        }, service::endLate);
        return service;
    }

    /** In the thread of {@link ServiceObject#init}, which nothing waits for any more. */
    private void endLate() {
        try {
            object.fini();
        } catch (Exception | Error e) {
            LOG.warn("service {} has failed to end: {}", name(), ServiceHooks.problem(e));
        }
    }

    ServiceDirective directive() {
        return directive;
    }

    /** {@return its name} */
    public String name() {
        return directive.name();
    }

    /** {@return the service itself} */
    public ServiceObject object() {
        return object;
    }

    /** {@return whether it takes part in nothing} */
    public boolean isSuspended() {
        return suspended;
    }

    synchronized ConfiguredService retain() {
        users++;
        return this;
    }

    /** One configuration less has it. */
    void release() {
        synchronized (this) {
            users--;
            if (users > 0) {
                return;
            }
        }
        try {
            hooks.call("fini", () -> {
                object.fini();
                return null;
            });
            LOG.info("service {} has ended", name());
        } catch (Exception | Error e) {
            LOG.warn("service {} has failed to end: {}", name(), ServiceHooks.problem(e));
        }
    }

    /**
     * Suspends or resumes it, unless it is so already.
     *
     * @return what has come of it, in a line
     */
    synchronized String suspend(boolean wanted) {
        String state = wanted ? "suspended" : "active";
        if (suspended == wanted) {
            return "service " + name() + " is " + state + " already";
        }
        try {
            // Before it is suspended nothing is to come, and before it has resumed nothing either.
            suspended = true;
            hooks.call(wanted ? "suspend" : "resume", () -> {
                if (wanted) {
                    object.suspend();
                } else {
                    object.resume();
                }
                return null;
            });
            suspended = wanted;
        } catch (Exception | Error e) {
            suspended = !wanted;
            String problem = "service " + name() + " cannot be " + state + ": " + ServiceHooks.problem(e);
            LOG.warn("{}", problem);
            return "error: " + problem;
        }
        LOG.info("service {} is {}", name(), state);
        return "service " + name() + " is " + state;
    }

    /** {@return its name, whether it is active, and what it says of itself} */
    String info() {
        String own;
        try {
            own = ServiceHooks.line(hooks.call("info", object::info));
        } catch (Exception | Error e) {
            own = "has failed to say: " + ServiceHooks.line(e.toString());
        }
        return ("service " + name() + (suspended ? " suspended " : " active ") + own).strip();
    }
}
