package dev.sluice.calls;

/** A provider as {@link java.util.ServiceLoader} finds it; the subclasses differ in rank and use. */
public abstract class ListedProvider implements BindingProvider {

    private final String name;
    private final int priority;
    private final Availability availability;

    ListedProvider(String name, int priority, Availability availability) {
        this.name = name;
        this.priority = priority;
        this.availability = availability;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int priority() {
        return priority;
    }

    @Override
    public Availability availability() {
        return availability;
    }

    @Override
    public Binding load() {
        return new NoMemory().binding(name);
    }

    /** The best, but not usable. */
    public static final class Broken extends ListedProvider {

        public Broken() {
            super("broken", 30, Availability.missing("out of order"));
        }
    }

    /** The best that is usable. */
    public static final class Fast extends ListedProvider {

        public Fast() {
            super("fast", 20, Availability.USABLE);
        }
    }

    /** Would win, if a class that it looks at were not missing. */
    public static final class Torn extends ListedProvider {

        public Torn() {
            super("torn", 40, null);
        }

        @Override
        public Availability availability() {
            throw new NoClassDefFoundError("gone/Part");
        }
    }

    /** Used only when asked for. */
    public static final class Slow extends ListedProvider {

        public Slow() {
            super("slow", 10, Availability.USABLE);
        }
    }

    /** Would win, if its class file were not made for a later Java. */
    public static final class Future extends ListedProvider {

        public Future() {
            super("future", 99, Availability.USABLE);
        }
    }
}
