package dev.sluice.samples.configurator;

import dev.sluice.samples.server.FileProblem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A service that has begun, and the configurations that have it: with the last of them it ends. */
public final class ConfiguredService {

    private static final Logger LOG = LoggerFactory.getLogger(ConfiguredService.class);

    private final ServiceDirective directive;
    private final ServiceObject object;
    /** Guarded by this. */
    private int users = 1;
    private volatile boolean suspended;

    /** The caller has called {@link ServiceObject#init}. */
    ConfiguredService(ServiceDirective directive, ServiceObject object) {
        this.directive = directive;
        this.object = object;
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
            object.fini();
            LOG.info("service {} has ended", name());
        } catch (Exception | Error e) {
            LOG.warn("service {} has failed to end: {}", name(), FileProblem.describe(e));
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
            if (wanted) {
                suspended = true;
                object.suspend();
            } else {
                object.resume();
                suspended = false;
            }
        } catch (Exception | Error e) {
            suspended = !wanted;
            String problem = "service " + name() + " cannot be " + state + ": " + FileProblem.describe(e);
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
            own = object.info();
        } catch (RuntimeException | Error e) {
            own = "has failed to say: " + e;
        }
        return ("service " + name() + (suspended ? " suspended " : " active ") + own).strip();
    }
}
