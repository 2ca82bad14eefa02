package dev.sluice.samples.web.protocol;

import dev.sluice.samples.configurator.ConfiguredService;
import dev.sluice.samples.configurator.ConfiguredServices;
import java.util.ArrayList;
import java.util.List;

/**
 * Offers requests to a service.
 *
 * @param configured says whether it is suspended
 * @param service    the same
 */
public record ServiceFilter(ConfiguredService configured, RequestService service) implements Filter {

    /**
     * {@return filters for those services that look at requests}
     *
     * @param services all that are configured
     */
    public static List<Filter> of(ConfiguredServices services) {
        List<Filter> filters = new ArrayList<>();
        for (ConfiguredService each : services.all()) {
            if (each.object() instanceof RequestService service) {
                filters.add(new GuardedFilter("the service", each.name(), new ServiceFilter(each, service)));
            }
        }
        return filters;
    }

    @Override
    public boolean admit(Request request, Reply reply) {
        return configured.isSuspended() || service.admit(request, reply);
    }

    @Override
    public void apply(Request request, Reply reply) {
        // It has had its turn.
    }
}
