package dev.sluice.calls;

/** A program that says which binding is chosen, and which after it was replaced; or why none can be. */
public final class BindingChoice {

    private BindingChoice() {
    }

    public static void main(String[] none) {
        try {
            String required = System.getProperty("required", "");
            if (!required.isEmpty()) {
                System.out.println(SmallJvm.MARK + "required " + Bindings.require(required));
            }
            System.out.println(SmallJvm.MARK + Bindings.current());
            Binding previous = Bindings.use(new NoMemory().binding("decorated"));
            System.out.println(SmallJvm.MARK + previous + " replaced by " + Bindings.current());
            if (!required.isEmpty()) {
                Bindings.require(required);
            }
        } catch (IllegalStateException e) {
            System.out.println(SmallJvm.MARK + e.getMessage());
        }
    }
}
