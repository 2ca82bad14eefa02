/** The recipes: a module, so that an image of Java alone can have one of them in it. */
module dev.sluice.recipes {
    requires dev.sluice.calls;
    requires dev.sluice.files;
    requires dev.sluice.stages;
}
