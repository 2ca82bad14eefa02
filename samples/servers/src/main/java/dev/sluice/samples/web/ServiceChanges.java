package dev.sluice.samples.web;

import dev.sluice.samples.configurator.ConfigurationException;
import dev.sluice.samples.configurator.ConfiguredServices;
import dev.sluice.samples.configurator.ServiceDirective;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Services that have been added, replaced or removed other than by the configuration. Immutable.
 *
 * @param byName the directives; empty for services that have been removed
 */
record ServiceChanges(Map<String, Optional<ServiceDirective>> byName) {

    /** Everything is as it is configured. */
    static final ServiceChanges NONE = new ServiceChanges(Map.of());

    /** {@return the directives of a configuration, with these changes} */
    List<ServiceDirective> appliedTo(List<ServiceDirective> configured) {
        Map<String, Optional<ServiceDirective>> all = new LinkedHashMap<>();
        configured.forEach(each -> all.put(each.name(), Optional.of(each)));
        all.putAll(byName);
        List<ServiceDirective> wanted = new ArrayList<>();
        all.values().forEach(each -> each.ifPresent(wanted::add));
        return wanted;
    }

    /** {@return these changes, and a service that is added, or replaces the one of its name} */
    ServiceChanges with(String directive) throws ConfigurationException {
        ServiceDirective added;
        try {
            added = ServiceDirective.parse(directive);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of(e.getMessage()), e);
        }
        return and(added.name(), Optional.of(added));
    }

    /** {@return these changes, and a service that is removed} */
    ServiceChanges without(String name, ConfiguredServices present) throws ConfigurationException {
        if (present.all().stream().noneMatch(each -> each.name().equals(name))) {
            throw new ConfigurationException(List.of("there is no service '" + name + "'"), null);
        }
        return and(name, Optional.empty());
    }

    private ServiceChanges and(String name, Optional<ServiceDirective> directive) {
        Map<String, Optional<ServiceDirective>> more = new LinkedHashMap<>(byName);
        more.put(name, directive);
        return new ServiceChanges(more);
    }
}
